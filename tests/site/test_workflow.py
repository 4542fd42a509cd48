"""The workflow that tests and publishes: what it may do, and whose code it runs."""

import re

import pytest
import yaml
from browser import ROOT

PATH = ROOT / ".github" / "workflows" / "book.yml"
TEXT = PATH.read_text(encoding="utf-8")
# YAML reads the key "on" as a truth value.
WORKFLOW = yaml.safe_load(TEXT.replace("\non:", "\n'on':"))
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
every_job = pytest.mark.parametrize("job", JOBS)


def test_every_workflow_is_looked_at():
    assert [p.name for p in PATH.parent.iterdir()] == ["book.yml"]


def test_actions_are_pinned_by_a_commit_with_its_version_beside_it():
    used = [step["uses"] for step in STEPS if "uses" in step]
    lines = [line for line in TEXT.splitlines() if "uses:" in line]
    assert len(lines) == len(used) >= 4
    for line in lines:
        pinned = r"\s*(- )?uses: actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
        assert re.fullmatch(pinned, line), line
    # One commit for each action, wherever it is used.
    assert len(set(used)) == len({name.split("@")[0] for name in used})


def test_nothing_is_granted_to_all_jobs():
    assert WORKFLOW["permissions"] == {}


@every_job
def test_only_the_job_that_publishes_may_write(job):
    granted = JOBS[job]["permissions"]
    if job == "publish":
        assert granted == {"pages": "write", "id-token": "write"}
    else:
        assert granted == {"contents": "read"}


@every_job
def test_every_job_ends_in_time(job):
    assert 1 <= JOBS[job]["timeout-minutes"] <= 90
    assert re.fullmatch(r"ubuntu-\d\d\.\d\d", JOBS[job]["runs-on"])


def test_pull_requests_publish_nothing_and_get_no_rights_of_the_target():
    assert "pull_request_target" not in WORKFLOW["on"]
    assert JOBS["publish"]["if"] == "github.ref == 'refs/heads/main'"
    assert JOBS["publish"]["needs"] == "test"
    # Text from outside never becomes a part of a command.
    assert [s["run"] for s in STEPS if "${{" in s.get("run", "")] == []


def test_no_step_keeps_the_token_of_the_checkout():
    checkouts = [s for s in STEPS if "actions/checkout@" in s.get("uses", "")]
    assert len(checkouts) == 2
    assert all(s["with"] == {"persist-credentials": False} for s in checkouts)


def test_runs_of_one_branch_do_not_race():
    group = WORKFLOW["concurrency"]["group"]
    assert "github.ref" in group
    cancel = WORKFLOW["concurrency"]["cancel-in-progress"]
    assert cancel == "${{ github.event_name == 'pull_request' }}"


def test_what_is_published_was_built_by_what_was_tested():
    commands = [step.get("run", "") for step in JOBS["test"]["steps"]]
    assert ".ci/run" in commands
    assert commands.index("make torch-cpu") < commands.index(".ci/run")
    (keep,) = (s for s in JOBS["test"]["steps"] if "upload-pages" in s.get("uses", ""))
    assert keep["with"]["path"] == "_build/html"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [
        c.split()[1] for s in STEPS if (c := s.get("run", "")).startswith("make")
    ]
    assert all(re.search(rf"^{t}:", makefile, re.MULTILINE) for t in targets)
