"""What the workflows may do, and whose code they run; the form for a wrong number."""

import re

import pytest
import yaml
from browser import ROOT

FOLDER = ROOT / ".github" / "workflows"
TEXTS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.iterdir())}
# YAML reads the key "on" as a truth value.
FLOWS = {
    name: yaml.safe_load(text.replace("\non:", "\n'on':"))
    for name, text in TEXTS.items()
}
JOBS = {
    f"{flow}/{name}": job
    for flow, value in FLOWS.items()
    for name, job in value["jobs"].items()
}
STEPS = [step for job in JOBS.values() for step in job["steps"]]
every_job = pytest.mark.parametrize("job", JOBS)
# What may write, and what.
GRANTED = {
    "book/notebooks": {"contents": "write"},
    "book/publish": {"pages": "write", "id-token": "write"},
    "release/publish": {"id-token": "write"},
    "weekly/issue": {"issues": "write"},
}
SYSTEMS = r"(ubuntu-\d\d\.\d\d|windows-20\d\d|macos-\d\d)"


def test_every_workflow_is_looked_at():
    assert set(FLOWS) == {"book", "release", "weekly"}


def test_actions_are_pinned_by_a_commit_with_its_version_beside_it():
    used = [step["uses"] for step in STEPS if "uses" in step]
    lines = [
        line for text in TEXTS.values() for line in text.splitlines() if "uses:" in line
    ]
    assert len(lines) == len(used) >= 4
    for line in lines:
        pinned = r"\s*(- )?uses: actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
        assert re.fullmatch(pinned, line), line
    # One commit for each action, wherever it is used.
    assert len(set(used)) == len({name.split("@")[0] for name in used})


def test_nothing_is_granted_to_all_jobs():
    assert [flow["permissions"] for flow in FLOWS.values()] == [{}] * len(FLOWS)


@every_job
def test_a_job_may_read_unless_it_is_named_here(job):
    assert JOBS[job]["permissions"] == GRANTED.get(job, {"contents": "read"})


@every_job
def test_every_job_ends_in_time_on_a_named_system(job):
    assert 1 <= JOBS[job]["timeout-minutes"] <= (300 if job == "weekly/live" else 60)
    systems = JOBS[job].get("strategy", {}).get("matrix", {}).get("os")
    for system in systems or [JOBS[job]["runs-on"]]:
        assert re.fullmatch(SYSTEMS, system)


def test_pull_requests_publish_nothing_and_get_no_rights_of_the_target():
    asked = [event for flow in FLOWS.values() for event in flow["on"]]
    assert "pull_request_target" not in asked
    assert JOBS["book/publish"]["if"] == "github.ref == 'refs/heads/main'"
    assert JOBS["book/publish"]["needs"] == "test"
    assert JOBS["release/publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert JOBS["release/publish"]["needs"] == "check"
    # Text from outside never becomes a part of a command.
    assert [s["run"] for s in STEPS if "${{" in s.get("run", "")] == []


def test_no_step_keeps_the_token_of_the_checkout():
    checkouts = [s for s in STEPS if "actions/checkout@" in s.get("uses", "")]
    assert len(checkouts) == 6
    assert all(s["with"] == {"persist-credentials": False} for s in checkouts)


def test_runs_of_one_branch_do_not_race():
    for flow in FLOWS.values():
        assert "github.ref" in flow["concurrency"]["group"]
    cancel = FLOWS["book"]["concurrency"]["cancel-in-progress"]
    assert cancel == "${{ github.event_name == 'pull_request' }}"


def test_what_is_published_was_built_by_what_was_tested():
    commands = [step.get("run", "") for step in JOBS["book/test"]["steps"]]
    assert commands.index("make torch-cpu") < commands.index(".ci/run")
    (keep,) = (
        s for s in JOBS["book/test"]["steps"] if "upload-pages" in s.get("uses", "")
    )
    assert keep["with"]["path"] == "_build/html"


def test_what_is_called_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [step.get("run", "") for step in STEPS] + script.splitlines()
    targets = [c.strip().split()[1] for c in commands if c.strip().startswith("make ")]
    assert {"test", "test-slow", "book", "test-live", "release"} <= set(targets)
    assert all(re.search(rf"^{t}:", makefile, re.MULTILINE) for t in targets)


def test_the_core_runs_on_every_python_system_and_end_of_numpy():
    matrix = JOBS["book/numpy"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{minor}" for minor in range(11, 15)]
    assert {system.split("-")[0] for system in matrix["os"]} == {
        "ubuntu",
        "windows",
        "macos",
    }
    assert "numpy==2.0.*" in {row["numpy"] for row in matrix["include"]}


XML = """<testsuites><testsuite><testcase classname="tests.engines" name="torch"/>
<testcase classname="tests.engines" name="cv2[8]"><failure message="0.25
is not 0.5"/></testcase></testsuite></testsuites>"""


def test_the_issue_names_each_number_that_changed(tmp_path):
    import changed

    (tmp_path / "live.xml").write_text(XML)
    told = changed.report(str(tmp_path / "live.xml"))
    assert told.startswith("1 live comparisons no longer hold.")
    assert "- `tests.engines::cv2[8]`: 0.25 is not 0.5" in told
    (tmp_path / "live.xml").write_text(XML.replace("failure", "system-out"))
    assert changed.report(str(tmp_path / "live.xml")) == ""


def test_a_wrong_number_has_a_form():
    path = ROOT / ".github" / "ISSUE_TEMPLATE" / "wrong-number.yml"
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    asked = {field["id"]: field for field in form["body"]}
    assert {"call", "versions", "input", "numbers"} <= set(asked)
    assert all(asked[k]["validations"]["required"] for k in ("call", "versions"))
