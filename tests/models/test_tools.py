"""What other tools see of us: a fixture, a hook, an action."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import exported
import pytest

from resizelab.cli import main
from resizelab.models import same_resize

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")

MINE = """
import numpy as np

def by_hand(x, shape):
    "Bilinear on half-pixel centres, written out for one axis at a time."
    for axis, m in enumerate(shape):
        n = x.shape[axis]
        at = np.clip((np.arange(m) + 0.5) * n / m - 0.5, 0, n - 1)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, n - 1)
        part = (at - low).reshape([-1 if k == axis else 1 for k in range(2)])
        x = x.take(low, axis) * (1 - part) + x.take(high, axis) * part
    return x

def test_right(assert_same_resize):
    assert_same_resize(by_hand, "torch.bilinear")
    assert_same_resize(by_hand, "cv2.resize(x, (4, 4))")

def test_wrong(assert_same_resize):
    assert_same_resize(by_hand, "tf1.bilinear")

def test_shape(assert_same_resize):
    assert_same_resize(lambda x, shape: x, by_hand)
"""


def test_the_fixture_passes_and_fails_in_words(pytester, pytestconfig):
    pytester.makepyfile(MINE)
    # An installed resizelab brings the fixture, and pytest takes a plugin only once.
    installed = pytestconfig.pluginmanager.has_plugin("resizelab")
    named = () if installed else ("-p", same_resize.__name__)
    run = pytester.runpytest(*named, "-p", "no:cacheprovider")
    run.assert_outcomes(passed=1, failed=2)
    run.stdout.fnmatch_lines(
        ["*by_hand is not tf1.bilinear at (*) to (*): * % of the pixels differ*"]
    )
    run.stdout.fnmatch_lines(["*<lambda> gives (8, 8), by_hand (16, 16)*"])


def test_the_fixture_comes_with_the_package():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"resizelab": same_resize.__name__}


def test_the_fixture_runs_the_real_torch():
    torch = pytest.importorskip("torch")

    def interpolate(x, shape):
        tensor = torch.from_numpy(x)[None, None]
        return torch.nn.functional.interpolate(tensor, shape, mode="bicubic")[0, 0]

    same_resize.check_same_resize(interpolate, "torch.bicubic")
    with pytest.raises(pytest.fail.Exception, match=r"is not pillow\.bicubic"):
        same_resize.check_same_resize(interpolate, "pillow.bicubic")


def test_the_hook_lints_the_files_it_is_given(tmp_path, capsys):
    pytest.importorskip("onnx")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "resizelab-lint"
    good = exported.resize_model(tmp_path / "a.onnx", mode="linear")
    bad = exported.resize_model(tmp_path / "b.onnx", (16, 7), mode="cubic", antialias=1)
    command, *arguments = shlex.split(hook["entry"])
    assert command == "resizelab"
    assert main([*arguments, str(good)]) == 0
    assert main([*arguments, str(good), str(bad)]) == 1
    assert "no-call" in capsys.readouterr().out


def test_the_action_writes_sarif_and_ends_by_the_findings(tmp_path):
    import json

    pytest.importorskip("onnx")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    assert "${{" not in step["run"]  # inputs reach the script as variables only
    exported.resize_model(tmp_path / "a.onnx", (16, 7), mode="cubic", antialias=1)
    bare = tmp_path / "bin" / "resizelab"
    bare.parent.mkdir()
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m resizelab "$@"\n')
    bare.chmod(0o755)
    given = {"FILES": "*.onnx", "OPTIONS": "--back-end mnn", "SARIF": "out.sarif"}
    run = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=tmp_path,
        env=os.environ
        | given
        | {"PATH": f"{bare.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    found = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    assert [r["ruleId"] for r in found] == ["no-call", "back-end-changes"]
    assert "FINDING" in run.stdout
