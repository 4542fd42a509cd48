"""The command: what it prints, plain and as JSON, and how it ends."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import exported
import numpy as np
import pytest

import resizelab as rl
from resizelab.cli import main
from resizelab.cli.parser import parser
from resizelab.engines.libraries import LIBRARIES

ROOT = Path(rl.__file__).parent.parent


@pytest.fixture
def said(capsys):
    """Run the command; return its exit code, its output and its errors."""

    def run(*arguments):
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as end:  # argparse ends by itself
            code = end.code
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_the_command_is_installed_by_its_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"resizelab": "resizelab.cli:main"}


def test_it_runs_as_a_module_and_ends_by_its_code():
    run = subprocess.run(
        [sys.executable, "-m", "resizelab", "show", "nobody", "--from", "4"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert run.returncode == 2
    assert "resizelab: there is no convention 'nobody'" in run.stderr


def test_every_command_tells_its_exit_codes(said):
    for command in ("identify", "why", "lint", "patch", "compare", "conventions"):
        code, out, _ = said(command, "--help")
        assert code == 0
        assert "exit codes: 0 nothing to say against it; 1 findings" in " ".join(
            out.split()
        )
    assert "--hook" in said("compare", "--help")[1]
    assert parser().prog == "resizelab"


def test_a_fault_of_ours_has_a_code_and_words_of_its_own(said, monkeypatch):
    def slip(*arguments):
        return {}["nothing"]

    for broken, kind in ((slip, "KeyError"), (lambda *a: 1 / 0, "ZeroDivisionError")):
        monkeypatch.setattr(rl.catalog, "translate", broken)
        code, out, err = said("translate", "torch.bilinear", "--to", "opencv")
        assert (code, out) == (4, "")
        assert f"a fault of ours, not of your input: {kind}" in err
        assert "what `resizelab env` prints" in err
        assert "Traceback" not in err


def test_env_prints_the_versions_that_a_report_needs(said):
    code, out, _ = said("env", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["resizelab"], found["numpy"]) == (rl.__version__, np.__version__)
    assert set(LIBRARIES) <= set(found)
    assert f"numpy          {np.__version__}" in said("env")[1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_shells_complete_the_command(said, shell):
    pytest.importorskip("shtab")
    code, out, _ = said("--print-completion", shell)
    assert code == 0
    assert all(word in out for word in ("resizelab", "lint", "back-end", "passport"))


def test_completion_without_shtab_says_what_to_install(said, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, _, err = said("--print-completion", "bash")
    assert code == 3
    assert "pip install shtab" in err


def test_one_bad_file_does_not_stop_the_others(said, tmp_path):
    pytest.importorskip("onnx")
    good = exported.resize_model(tmp_path / "good.onnx", mode="linear")
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"this is text")
    code, out, _ = said("lint", bad, good)
    assert code == 2
    assert "bad.onnx: not looked at: " in out
    assert "good.onnx: onnx, opset 19" in out
    code, out, _ = said("lint", good, bad, good, "--json")
    assert [("error" in entry) for entry in json.loads(out)] == [False, True, False]
    code, out, _ = said("lint", good, good, "--json")
    assert code == 0
    assert len(json.loads(out)) == 2


def test_wrong_use_ends_with_two(said):
    code, _, err = said("identfy", "a", "b")
    assert code == 2
    assert "invalid choice: 'identfy'" in err
    assert said("show", "torch.bilinear")[0] == 2


def test_conventions_are_listed_and_filtered(said):
    code, out, _ = said("conventions", "torch.bilinear")
    names = [line.split()[0] for line in out.splitlines()]
    assert code == 0
    assert "torch.bilinear" in names
    assert all("torch.bilinear" in name for name in names)
    code, out, _ = said("conventions", "pillow.*", "--json")
    rows = json.loads(out)
    assert {row["library"] for row in rows} == {"pillow"}
    assert said("conventions", "nothing like it")[0] == 1
    assert len(said("conventions")[1].splitlines()) == len(rl.conventions())


def test_show_prints_the_operator(said):
    code, out, _ = said("show", "torch.bilinear", "--from", 4, "--to", 8)
    assert code == 0
    assert "     1    0.2500   0.7500  0.2500" in out
    code, out, _ = said("show", "tf1.bilinear", "--from", 4, "--to", 8, "--json")
    whole = json.loads(out)
    assert whole["centroids"] == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3]
    matrix = rl.weights("tf1.bilinear", 4, 8).dense()
    assert np.allclose(whole["matrix"], matrix, atol=1e-9)
    scaled = "F.interpolate(x, scale_factor=1.5, mode='bilinear')"
    assert "4 to 6 pixels" in said("show", scaled, "--from", 4)[1]
    code, _, err = said("show", "torch.bilinear", "--from", 4)
    assert code == 2
    assert "--to M, or --scale S" in err


def test_translate_says_the_call_or_why_not(said):
    text = "F.interpolate(x, size=(h, w), mode='bilinear')"
    code, out, _ = said("translate", text, "--to", "opencv")
    assert (code, out) == (
        0,
        "cv2.resize(x, (w, h), interpolation=cv2.INTER_LINEAR)\n"
        "# x is (height, width), or (height, width, channels)\n"
        "# bytes beside torch.bilinear's: 1088 of 4770 differ, by up to 1; computed in "
        "float32 and rounded, 1066 of 4770 differ, by up to 1\n",
    )
    code, out, _ = said("translate", "tf1.bilinear", "--to", "torch", "--json")
    whole = json.loads(out)
    assert (code, whole["reason"]) == (0, None)
    assert "grid_sample" in whole["call"]
    assert "several calls" in whole["remarks"][0]
    code, out, _ = said("translate", "tf1.bicubic", "--to", "torch", "--json")
    whole = json.loads(out)
    assert code == 1
    assert whole["call"] is None
    assert "no torch call computes tf1.bicubic" in whole["reason"]
    code, _, err = said("translate", "torch.bilinear", "--to", "torche")
    assert code == 2
    assert "did you mean 'torch'" in err


def test_identify_names_the_resize_between_two_pictures(said, tmp_path):
    cv2 = pytest.importorskip("cv2")
    image = pytest.importorskip("PIL.Image")
    x = np.random.default_rng(5).integers(0, 256, (24, 24), np.uint8)
    x = cv2.GaussianBlur(x, (3, 3), 0)
    image.fromarray(x).save(tmp_path / "a.png")
    y = cv2.resize(x, (41, 37), interpolation=cv2.INTER_CUBIC)
    image.fromarray(y).save(tmp_path / "b.png")
    code, out, _ = said("identify", tmp_path / "a.png", tmp_path / "b.png")
    assert code == 0
    assert "opencv.cubic" in out.split("same numbers:")[1]
    pair = tmp_path / "a.npy", tmp_path / "b.npy"
    np.save(pair[0], x)
    np.save(pair[1], y)
    code, out, _ = said("identify", *pair, "--json", "--layout", "HW")
    assert "opencv.cubic" in json.loads(out)["same"]


def test_why_tells_two_grids_from_the_outputs_alone(said, tmp_path):
    z = np.random.default_rng(0).normal(size=(3, 12, 16))
    for name in ("torch.bilinear", "tf1.bilinear"):
        np.save(tmp_path / f"{name}.npy", rl.resize(z, (3, 96, 128), name))
    pair = tmp_path / "torch.bilinear.npy", tmp_path / "tf1.bilinear.npy"
    code, out, _ = said("why", *pair, "--stride", 8)
    assert code == 1
    assert "asymmetric against half_pixel at" in out
    assert said("why", pair[0], pair[0])[0] == 0
    code, out, _ = said("why", *pair, "--json", "--stride", 8, 8)
    assert json.loads(out)["kind"] == "grid"


def test_lint_ends_with_one_where_it_finds_something(said, tmp_path):
    pytest.importorskip("onnx")
    good = exported.resize_model(tmp_path / "good.onnx", mode="linear")
    bad = exported.resize_model(
        tmp_path / "bad.onnx", (16, 7), mode="cubic", antialias=1
    )
    code, out, _ = said("lint", good)
    assert code == 0
    assert "1 resize node, 0 findings" in out
    code, out, _ = said("lint", good, bad, "--back-end", "onnxruntime")
    assert code == 1
    assert "[no-call] no framework call computes this" in out
    code, out, _ = said("lint", good, "--like", "tf1.bilinear", "--json")
    assert code == 1
    assert json.loads(out)["nodes"][0]["findings"][0]["code"] == "unlike"


def test_lint_takes_calls_in_the_place_of_files(said):
    call = "cv2.resize(image, (64, 48), cv2.INTER_AREA)"
    code, out, _ = said("lint", call, "--shape", 96, 128)
    assert code == 1
    assert "FINDING [flag-ignored] step 1: INTER_AREA stands third" in out
    assert said("lint", "cv2.resize(image, (64, 48))")[0] == 0


def test_patch_compare_and_passport_work_together(said, tmp_path):
    pytest.importorskip("onnxruntime")
    a, b = tmp_path / "a.onnx", tmp_path / "b.onnx"
    exported.resize_model(a, (8, 16), mode="linear")
    change = "coordinate_transformation_mode=asymmetric"
    code, out, _ = said("patch", a, "--node", "resize", "--set", change, "-o", b)
    assert code == 0
    assert f"written to {b}" in out
    x = np.random.default_rng(0).random((1, 1, 8, 8)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    code, out, _ = said("compare", a, b, "--input", tmp_path / "x.npy")
    assert code == 1
    assert "first to differ: y (Resize)" in out
    np.savez(tmp_path / "x.npz", x=x)
    code, out, _ = said("compare", a, a, "--input", tmp_path / "x.npz", "--json")
    assert code == 0
    assert json.loads(out)["first"] is None
    step = "cv2.resize(img, (8, 8))"
    marked = tmp_path / "marked.onnx"
    assert said("passport", "write", a, "--preprocess", step, "-o", marked)[0] == 0
    assert "opencv.linear to 8x8" in said("passport", "read", marked)[1]
    assert said("passport", "check", marked, "--preprocess", step)[0] == 0
    other = "cv2.resize(img, (8, 8), interpolation=cv2.INTER_AREA)"
    code, out, _ = said("passport", "check", marked, "--preprocess", other, "--json")
    assert code == 1
    assert "opencv.area here, opencv.linear there" in json.loads(out)["differs"][0]


def test_a_dump_of_torch_stands_for_the_other_side(said, tmp_path):
    pytest.importorskip("onnxruntime")
    model, x = exported.network()
    code, hook, _ = said("compare", "--hook")
    assert code == 0
    names = {}
    exec(hook, names)
    names["dump"](tmp_path / "dump.npz", model, x=x)
    path = exported.torchscript()
    code, out, _ = said("compare", path, "--ref", tmp_path / "dump.npz")
    assert code == 0
    assert "no pair differs" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lint", "none.onnx"], "there is no file none.onnx"),
        (["lint", "text.onnx"], "text.onnx is not an ONNX"),
        (["lint", "text.txt"], "ending must be one of '.onnx', '.tflite'"),
        (["identify", "text.npy", "text.npy"], "text.npy is not a .npy file"),
        (["why", "none.npy", "none.npy"], "there is no file none.npy"),
        (["compare", "text.onnx", "text.onnx"], "text.onnx is not an ONNX"),
        (["compare"], "compare needs a model"),
        (["passport", "read", "text.txt"], "text.txt carries no passport"),
        (
            ["patch", "text.onnx", "--node", "a", "--set", "mode", "-o", "b.onnx"],
            "--set takes NAME=VALUE; got 'mode'",
        ),
    ],
)
def test_bad_files_end_with_two_and_write_nothing(
    said, tmp_path, monkeypatch, arguments, words
):
    pytest.importorskip("onnx")
    monkeypatch.chdir(tmp_path)
    for ending in ("onnx", "npy", "txt"):
        Path(f"text.{ending}").write_text("hello, this is text")
    before = sorted(tmp_path.iterdir())
    code, out, err = said(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("resizelab: ")
    assert words in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_missing_library_ends_with_three(said, monkeypatch, tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="linear")
    monkeypatch.setitem(sys.modules, "onnx", None)
    code, _, err = said("lint", path)
    assert code == 3
    assert "pip install onnx" in err
