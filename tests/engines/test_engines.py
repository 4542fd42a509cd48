"""The engines' adapters: what they return is what the real libraries return."""

import importlib.metadata
import sys
from types import SimpleNamespace
from typing import Any

import golden
import numpy as np
import pytest
import record
from processes import python
from told import blocks

import resizelab as rl
from resizelab import engines
from resizelab.catalog.calls import CALLS
from resizelab.models.calls import parsed

INSTALLED = engines.available()
FOUR = np.array([0, 10, 20, 30], np.float32)

INTERPOLATE = "torch.nn.functional.interpolate"
# What the engines made of [0, 10, 20, 30] -> 8: torch 2.13.0, TensorFlow 2.21.0,
# Keras 3.15.1, onnx 1.23.2, ONNX Runtime 1.32.0, OpenVINO 2026.4.1, OpenCV 5.0.0.93,
# Pillow 13.0.0, scikit-image 0.26.0, SciPy 1.17.1, JAX 0.10.2, LiteRT 2.3.0,
# ncnn 1.0.20261020, resize-right 0.0.2; x86-64, 2026-11-29.
WORKED = blocks("""
F.interpolate(mode='nearest')
    0 0 10 10 20 20 30 30
F.interpolate(mode='bilinear')
    0 2.5 7.5 12.5 17.5 22.5 27.5 30
F.interpolate(mode='linear', align_corners=True)
    0 4.2857 8.5714 12.8571 17.1429 21.4286 25.7143 30
F.interpolate(mode='bicubic')
    -1.0547 1.9141 6.6797 12.9688 17.0312 23.3203 28.0859 31.0547
F.interpolate(mode='bicubic', antialias=True)
    -0.8824 1.6788 7.0992 12.5 17.5 22.9008 28.3212 30.8824
F.interpolate(mode='bilinear', scale_factor=2.1)
    0 2.1429 6.9048 11.6667 16.4286 21.1905 25.9524 30
F.interpolate(mode='bilinear', scale_factor=2.1, recompute_scale_factor=True)
    0 2.5 7.5 12.5 17.5 22.5 27.5 30
F.grid_sample(padding_mode='zeros')
    0 2.5 7.5 12.5 17.5 22.5 27.5 22.5
tf.image.resize(method='bicubic')
    -0.8824 1.6788 7.0992 12.5 17.5 22.9008 28.3212 30.8824
tf.compat.v1.image.resize_bilinear()
    0 5 10 15 20 25 30 30
tf.compat.v1.image.resize_bicubic()
    0 4.0625 10 15 20 25.9375 30 30.9375
tf.compat.v1.image.resize_nearest_neighbor(align_corners=True)
    0 0 10 10 20 20 30 30
tf.compat.v1.image.resize_area()
    0 0 10 10 20 20 30 30
tf.image.crop_and_resize(boxes=[[0, -0.25, 1, 1.25]], extrapolation_value=-1)
    -1 -1 5.3571 11.7857 18.2143 24.6429 -1 -1
keras.layers.UpSampling2D(size=[1, 2], interpolation='bilinear')
    0 2.5 7.5 12.5 17.5 22.5 27.5 30
keras.layers.Resizing(interpolation='nearest')
    0 0 10 10 20 20 30 30
onnx.Resize(mode='linear', coordinate_transformation_mode='align_corners')
    0 4.2857 8.5714 12.8571 17.1429 21.4286 25.7143 30
onnxruntime.Resize(mode='cubic', cubic_coeff_a=-0.5, exclude_outside=1, opset=13)
    -0.8824 1.6788 7.0992 12.5 17.5 22.9008 28.3212 30.8824
onnxruntime.Resize(mode='nearest', nearest_mode='ceil', opset=11)
    0 10 10 20 20 30 30 30
onnxruntime.Upsample(mode='linear', opset=9)
    0 5 10 15 20 25 30 30
openvino.Resize(mode='linear', coordinate_transformation_mode='asymmetric')
    0 5 10 15 20 25 30 30
openvino.Upsample(mode='nearest', opset=9)
    0 0 10 10 20 20 30 30
cv2.resize(interpolation='INTER_LINEAR')
    0 2.5 7.5 12.5 17.5 22.5 27.5 30
cv2.resize(interpolation='INTER_LANCZOS4')
    -0.8657 1.8185 7.0997 12.6627 17.3373 22.9003 28.1815 30.8657
PIL.Image.Image.resize(resample='BICUBIC')
    -0.8824 1.6788 7.0992 12.5 17.5 22.9008 28.3212 30.8824
PIL.Image.Image.resize(resample='BOX')
    0 0 10 10 20 20 30 30
skimage.transform.resize(order=1)
    2.5 2.5 7.5 12.5 17.5 22.5 27.5 27.5
skimage.transform.resize(order=3, clip=False)
    1 1 6.75 12.6875 17.3125 23.25 29 29
scipy.ndimage.zoom(order=1)
    0 4.2857 8.5714 12.8571 17.1429 21.4286 25.7143 30
scipy.ndimage.zoom(order=3, grid_mode=True, mode='reflect')
    -1.2054 1.9643 7.2321 12.567 17.433 22.7679 28.0357 31.2054
jax.image.resize(method='cubic')
    -0.8824 1.6788 7.0992 12.5 17.5 22.9008 28.3212 30.8824
jax.image.scale_and_translate(method='linear', scale=[2.0], translation=[1.0])
    0 0 2.5 7.5 12.5 17.5 22.5 27.5
tflite.ResizeBilinear(half_pixel_centers=True)
    0 2.5 7.5 12.5 17.5 22.5 27.5 30
tflite.ResizeNearestNeighbor(align_corners=True)
    0 0 10 10 20 20 30 30
ncnn.Interp(resize_type='bicubic')
    -1.0547 1.9141 6.6797 12.9688 17.0312 23.3203 28.0859 31.0547
ncnn.Interp(resize_type='bilinear', height_scale=1.0, width_scale=2.1)
    0 2.1429 6.9048 11.6667 16.4286 21.1905 25.9524 30
resize_right.resize(interp_method='cubic')
    -0.7031 1.7969 7.2656 12.5 17.5 23.4375 30.3125 24.6094
resize_right.resize(interp_method='linear', scale_factors=2.1, pad_mode='edge')
    0 0.7143 5.4762 10.2381 15 19.7619 24.5238 29.2857 30
""")


@pytest.fixture(params=WORKED)
def worked(request) -> tuple[SimpleNamespace, list[float]]:
    """Return a call as a row, and what it made of four pixels."""
    said = parsed(request.param)
    library = engines.library_of(said.name)
    expected = list(map(float, WORKED[request.param].split()))
    return convention(library, said.name, **said.arguments), expected


def convention(library: str, call: str, **arguments: Any) -> SimpleNamespace:
    """Make what the engines need to know of a convention; skip without its engine."""
    if INSTALLED[library] is None:
        pytest.skip(f"{library} is not installed")
    return SimpleNamespace(library=library, call=call, arguments=arguments)


LINEAR = ("opencv", "cv2.resize")


class TestImport:
    def test_no_engine_is_imported_with_the_package(self):
        code = (
            "import sys, resizelab.engines as e\n"
            "print([k.module for k in e.LIBRARIES.values() if k.module in sys.modules])"
        )
        assert python(code).strip() == "[]"

    def test_openvino_is_imported_without_its_reports_to_a_server(self):
        row = convention("openvino", "openvino.Resize", mode="linear")
        if "openvino_telemetry" in sys.modules:
            pytest.skip("another test imported the telemetry package")
        engines.run(row, FOUR, 8)
        assert "openvino_telemetry" not in sys.modules


class TestMissing:
    @pytest.mark.parametrize("name", engines.LIBRARIES)
    def test_the_message_names_the_pip_package(self, name, monkeypatch):
        known = engines.LIBRARIES[name]
        monkeypatch.setitem(sys.modules, known.module, None)
        with pytest.raises(engines.EngineMissing) as caught:
            engines.load(known.module, name)
        assert str(caught.value) == (
            f"{name} is not installed: pip install {known.pip}, or all the engines "
            f"with pip install 'resizelab[{known.extra}]'"
        )

    @pytest.mark.parametrize(
        ("library", "call", "arguments"),
        [
            ("torch", INTERPOLATE, {"mode": "bilinear"}),
            ("opencv", "cv2.resize", {}),
            ("pillow", "PIL.Image.Image.resize", {}),
            ("onnxruntime", "onnxruntime.Resize", {"mode": "linear", "opset": 12}),
        ],
    )
    def test_run_and_matrix_say_so(self, library, call, arguments, monkeypatch):
        row = SimpleNamespace(library=library, call=call, arguments=arguments)
        module = engines.LIBRARIES[library].module
        for name in [n for n in sys.modules if n.split(".")[0] == module]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(engines.EngineMissing, match=f"^{library} is not installed"):
            engines.run(row, FOUR, 8)
        with pytest.raises(engines.EngineMissing, match="pip install"):
            engines.matrix(row, 4, 8)

    def test_no_version_of_a_library_that_is_not_installed(self, monkeypatch):
        def absent(name: str) -> str:
            raise importlib.metadata.PackageNotFoundError(name)

        monkeypatch.setattr(importlib.metadata, "version", absent)
        assert engines.available() == dict.fromkeys(engines.LIBRARIES)
        assert engines.version("ncnn") is None

    def test_a_broken_installation_keeps_its_own_error(self, tmp_path, monkeypatch):
        (tmp_path / "brokenengine.py").write_text("import lost_dependency\n")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(ModuleNotFoundError, match="lost_dependency") as caught:
            engines.load("brokenengine", "ncnn")
        assert not isinstance(caught.value, engines.EngineMissing)


class TestWorked:
    def test_four_pixels_to_eight(self, worked):
        row, expected = worked
        out = engines.run(row, FOUR, None if engines.sizes_follow(row) else 8)
        assert out.tolist() == pytest.approx(expected, abs=5.1e-5)

    def test_matrix_times_pixels(self, worked):
        row, expected = worked
        w = engines.matrix(row, 4, len(expected))
        assert w.shape == (len(expected), 4)
        assert w.dtype == np.float64
        offset = min(0, row.arguments.get("extrapolation_value", 0))
        outside = offset * (w.sum(axis=1) == 0)
        assert (w @ FOUR + outside).tolist() == pytest.approx(expected, abs=6e-5)


class TestMatrix:
    def test_equals_run_on_random_pixels(self, worked):
        row, _ = worked
        follows = engines.sizes_follow(row)
        rng = np.random.default_rng(7)
        for n_in, n_out in [(5, 10), (3, 6)] if "Up" in row.call else [(5, 7), (7, 3)]:
            x = rng.random(n_in).astype(np.float32)
            y = engines.run(row, x, None if follows else n_out).astype(float)
            zero = engines.run(row, 0 * x, None if follows else n_out).astype(float)
            w = engines.matrix(row, n_in, len(y))
            assert np.abs(w @ x + zero - y).max() < 1e-6

    @pytest.mark.parametrize(
        ("library", "call", "arguments"),
        [
            ("torch", INTERPOLATE, {"mode": "bicubic", "antialias": True}),
            ("tensorflow", "tensorflow.image.resize", {"method": "lanczos3"}),
            ("onnxruntime", "onnxruntime.Resize", {"mode": "cubic", "antialias": 1}),
            ("opencv", "cv2.resize", {"interpolation": "INTER_CUBIC"}),
            ("pillow", "PIL.Image.Image.resize", {"resample": "LANCZOS"}),
            ("scikit-image", "skimage.transform.resize", {"order": 3, "clip": False}),
            ("scipy", "scipy.ndimage.zoom", {"order": 3, "mode": "mirror"}),
            ("ncnn", "ncnn.Interp", {"resize_type": "bilinear"}),
        ],
    )
    def test_two_axes_are_two_matrices(self, library, call, arguments):
        row = convention(library, call, **arguments)
        x = np.random.default_rng(8).random((6, 9)).astype(np.float32)
        rows, columns = engines.matrix(row, 6, 4), engines.matrix(row, 9, 13)
        out = engines.run(row, x, (4, 13))
        assert np.abs(rows @ x @ columns.T - out).max() < 1e-5

    def test_clipping_is_no_part_of_a_matrix(self):
        row = convention("scikit-image", "skimage.transform.resize", order=3)
        assert engines.matrix(row, 6, 12).min() < -0.01
        step = np.array([0, 0, 0, 1, 1, 1.0])
        assert engines.run(row, step, 12).min() == 0

    def test_the_box_of_the_last_axis_counts(self):
        row = convention(
            "pillow", "PIL.Image.Image.resize", resample="BICUBIC", box=[2, 0, 6, 1]
        )
        ramp = np.arange(8, dtype=np.float32)
        assert engines.matrix(row, 8, 2) @ ramp == pytest.approx([2.45946, 4.54054])
        assert engines.run(row, ramp, 2).tolist() == pytest.approx([2.45946, 4.54054])

    def test_a_region_of_one_axis_leaves_the_others_whole(self):
        row = convention(
            "onnxruntime",
            "onnxruntime.Resize",
            mode="linear",
            coordinate_transformation_mode="tf_crop_and_resize",
            roi=[0.25, 0.75],
        )
        ramp = np.arange(5, dtype=np.float32)
        assert engines.run(row, ramp, 3).tolist() == [1, 2, 3]
        assert (engines.matrix(row, 5, 3) @ ramp).tolist() == [1, 2, 3]

    def test_ndim_selects_the_code_path(self):
        # torch fuses multiply and add in one axis: output 20 of 2 -> 41 differs
        row = convention("torch", INTERPOLATE, mode="nearest-exact")
        one = engines.matrix(row, 2, 41, ndim=1).argmax(axis=1)
        line = engines.run(row, np.array([0, 1], np.float32), 41)
        assert one.tolist() == line.tolist()
        assert one[20] == 1


@pytest.mark.skipif(
    not (INSTALLED["torch"] or "").startswith("2.13"), reason="measured on torch 2.13"
)
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "lanczos"])
class TestTorchAntialiasOneWide:
    """What the rows' notes say of one-wide results, reproduced and seen in torch."""

    x = np.linspace(0, 255, 35).reshape(7, 5)

    def run(self, mode, x, width=1):
        row = rl.find(INTERPOLATE, mode=mode, antialias=True)
        assert "every row holds row 0" in row.notes
        return engines.run(row, x, (3, width)), rl.resize(x, (3, width), row)

    def moving_on(self, mode, x):
        """Return what every row should hold: the same kernel without the habit."""
        row = rl.find(INTERPOLATE, mode=mode, antialias=True)
        plain = row.particulars.replace(one_wide=None)
        return rl.resize(x, (3, 1), row.replace(particulars=plain))

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_floats_repeat_row_0(self, mode, dtype):
        theirs, ours = self.run(mode, self.x.astype(dtype))
        assert (theirs == theirs[0]).all()
        assert theirs == pytest.approx(ours, abs=1e-3)
        right = self.moving_on(mode, self.x.astype(dtype))
        assert theirs[0] == pytest.approx(right[0], abs=1e-3)
        assert np.abs(theirs - right).max() > 150
        two, expected = self.run(mode, self.x.astype(dtype), width=2)
        assert two == pytest.approx(expected, abs=1e-3)

    def test_bytes_do_not(self, mode):
        theirs, ours = self.run(mode, self.x.astype(np.uint8))
        np.testing.assert_array_equal(theirs, ours)

    def test_channels_last_does_not(self, mode):
        import torch

        if mode == "lanczos":
            pytest.skip("torch takes lanczos of one channel at a time here")
        x = torch.tensor(self.x)[None, None].repeat(1, 3, 1, 1)
        x = x.contiguous(memory_format=torch.channels_last)
        theirs = torch.nn.functional.interpolate(x, (3, 1), mode=mode, antialias=True)
        ours = self.moving_on(mode, self.x)
        assert theirs[0, 2].numpy() == pytest.approx(ours, abs=1e-6)


class TestScale:
    def test_scale_overrides_the_conventions_own(self):
        row = convention(*LINEAR, interpolation="INTER_LINEAR", fx=9.0, fy=9.0)
        out = engines.run(row, np.arange(5, dtype=np.float32)[None], scale=[1, 1.5])
        expected = [0, 0.5, 1.16667, 1.83333, 2.5, 3.16667, 3.83333, 4]
        assert out.shape == (1, 8)
        assert out[0].tolist() == pytest.approx(expected, abs=1e-5)

    def test_a_list_may_name_batch_and_channel_as_onnx_does(self):
        row = convention("onnxruntime", "onnxruntime.Resize", mode="linear")
        x = np.arange(4, dtype=np.float32)[None]
        full = engines.run(row, x, scale=[1, 1, 1, 2.5])
        assert full.tolist() == engines.run(row, x, scale=[1, 2.5]).tolist()

    def test_openvino_forgets_the_scale_of_the_call_before(self):
        row = convention("openvino", "openvino.Resize", mode="linear")
        x = np.array([[0, 1, 2, 3]], np.float32)
        first = engines.run(row, x, scale=[1, 0.5])
        second = engines.run(row, x, scale=[1, 0.7])
        assert first.tolist() == [[0.5, 2.5]]
        assert second.ravel().tolist() == pytest.approx([0.214286, 1.642857], abs=1e-6)

    def test_each_axis_has_its_own_scale_and_a_matrix_takes_the_last(self):
        row = convention(*LINEAR, fx=1.7, fy=1.3)
        w = engines.matrix(row, 5)
        assert w.shape == (8, 5)
        x = np.random.default_rng(9).random((5, 5)).astype(np.float32)
        y = engines.matrix(convention(*LINEAR, fx=1.3, fy=1.3), 5) @ x @ w.T
        assert y.shape == (6, 8)
        assert np.abs(engines.run(row, x) - y).max() < 1e-5

    def test_no_size_and_no_scale(self):
        with pytest.raises(ValueError, match="give n_out or a scale"):
            engines.matrix(convention(*LINEAR), 5)

    def test_sizes_that_the_scale_does_not_give_are_refused(self):
        row = convention("torch", INTERPOLATE, mode="bilinear", scale_factor=1.5)
        with pytest.raises(engines.SizeRefused) as caught:
            engines.run(row, FOUR, 8)
        assert str(caught.value) == (
            f"{INTERPOLATE} with {{'mode': 'bilinear', 'scale_factor': 1.5}} returned "
            f"(6,), not the shape (8,) that was asked for"
        )


class TestDtype:
    @pytest.mark.parametrize(
        ("library", "call", "arguments", "returned"),
        [
            ("opencv", "cv2.resize", {}, "uint8"),
            ("pillow", "PIL.Image.Image.resize", {"resample": "BILINEAR"}, "uint8"),
            ("torch", INTERPOLATE, {"mode": "bilinear"}, "uint8"),
            ("tensorflow", "tensorflow.image.resize", {}, "float32"),
            ("jax", "jax.image.resize", {"method": "linear"}, "float32"),
            ("litert", "tflite.ResizeBilinear", {}, "uint8"),
        ],
    )
    def test_the_engine_chooses_the_dtype(self, library, call, arguments, returned):
        row = convention(library, call, **arguments)
        out = engines.run(row, np.array([[0, 255]], np.uint8), (1, 4))
        assert out.dtype == returned
        assert out.shape == (1, 4)

    def test_litert_has_two_sets_of_integer_kernels(self):
        x = np.array([[-128, 127] * 4], np.int8)
        last = []
        for resolver in ("AUTO", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"):
            row = convention(
                "litert",
                "tflite.ResizeBilinear",
                align_corners=True,
                experimental_op_resolver_type=resolver,
            )
            last.append(int(engines.run(row, x, (1, 14))[0, -1]))
        assert last == [127, 126]

    def test_ncnn_has_float32_only(self):
        row = convention("ncnn", "ncnn.Interp", resize_type="nearest")
        with pytest.raises(TypeError, match="works on float32; got float64"):
            engines.run(row, np.zeros((2, 2)), (4, 4))


class TestErrors:
    def test_unknown_library(self):
        row = SimpleNamespace(library="pytorch", call=INTERPOLATE, arguments={})
        with pytest.raises(LookupError, match="got 'pytorch'; did you mean 'torch'"):
            engines.run(row, FOUR, 8)

    def test_unknown_call(self):
        row = SimpleNamespace(library="opencv", call="cv2.resise", arguments={})
        with pytest.raises(LookupError) as caught:
            engines.matrix(row, 4, 8)
        assert str(caught.value) == (
            "call of opencv must be one of cv2.resize, cv2.warpAffine; "
            "got 'cv2.resise'; "
            "did you mean 'cv2.resize'?"
        )

    def test_library_of_a_call(self):
        assert engines.library_of("tflite.ResizeBilinear") == "litert"
        with pytest.raises(LookupError, match=r"did you mean 'ncnn\.Interp'"):
            engines.library_of("ncnn.interp")

    def test_unknown_flag(self):
        row = convention(*LINEAR, interpolation="INTER_LINER")
        with pytest.raises(ValueError, match="did you mean 'INTER_LINEAR'"):
            engines.run(row, FOUR, 8)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"shape": (8, 8)}, "shape has 2 sizes for 1 axes of x"),
            ({"shape": 0}, "shape must be from 1 to"),
            ({}, "give shape or scale: neither was given"),
            ({"scale": [2.0, 2.0]}, "scale has 2 entries for 1 axes of x"),
        ],
    )
    def test_sizes_and_scales(self, arguments, message):
        row = convention(*LINEAR)
        with pytest.raises(ValueError, match=message):
            engines.run(row, FOUR, **arguments)

    def test_too_many_axes(self):
        row = convention(*LINEAR)
        with pytest.raises(ValueError, match="works on 2 to 2 axes; got x with 3"):
            engines.run(row, np.zeros((2, 2, 2), np.float32), (4, 4, 4))

    def test_a_call_of_sizes_takes_no_scale(self):
        row = convention("pillow", "PIL.Image.Image.resize")
        with pytest.raises(ValueError, match="takes sizes, not a scale"):
            engines.run(row, FOUR, 8, scale=2)

    def test_what_the_engine_refuses_keeps_the_engines_words(self):
        row = convention("torch", INTERPOLATE, mode="nearest", antialias=True)
        with pytest.raises(ValueError, match="Anti-alias option is restricted"):
            engines.run(row, np.zeros((2, 2), np.float32), (4, 4))


class TestGlobals:
    def test_settings_of_the_libraries_stay_as_they_were(self):
        jax_row = convention("jax", "jax.image.resize", method="linear")
        torch_row = convention("torch", INTERPOLATE, mode="linear")
        jax, torch = engines.load("jax", "jax"), engines.load("torch", "torch")
        before = (
            jax.config.jax_default_device,
            torch.get_num_threads(),
            torch.is_grad_enabled(),
        )
        engines.run(jax_row, FOUR, 8)
        engines.run(torch_row, FOUR, 8)
        after = (
            jax.config.jax_default_device,
            torch.get_num_threads(),
            torch.is_grad_enabled(),
        )
        assert after == before


# SciPy advises another mode than the one that the report used: that is the case.
@pytest.mark.filterwarnings("ignore:It is recommended to use mode = grid-constant")
@pytest.mark.parametrize("case", golden.cases(), ids=lambda case: case.id)
def test_recorded_cases(case):
    library = engines.library_of(case.call)
    if INSTALLED[library] != case.engine_version:
        pytest.skip(f"recorded with {case.engine} {case.engine_version}")
    row = case.convention(library)
    out = engines.run(row, case.x, case.expected.shape, case.scale)
    assert out.dtype == case.expected.dtype
    error = np.abs(out.astype(np.float64) - case.expected.astype(np.float64)).max()
    assert error <= case.tolerance


class TestRecord:
    def test_what_is_recorded_is_read_back(self, tmp_path):
        wanted = ("torch.bilinear", "torch.bicubic.scale_factor")
        rows = [rl.convention(name) for name in wanted]
        convention("torch", INTERPOLATE)
        record.record("torch", rows, tmp_path)
        assert golden.libraries(tmp_path) == ["torch"]
        assert golden.header("torch", tmp_path)["version"] == INSTALLED["torch"]
        assert golden.index(tmp_path) == dict.fromkeys(wanted, "torch")
        read = golden.row("torch.bilinear", folder=tmp_path)
        assert [(m.n_in, m.n_out) for m in read.matrices] == record.PAIRS
        for m in read.matrices:
            measured = engines.matrix(rows[0], m.n_in, m.n_out)
            assert np.array_equal(m.w, measured.astype(np.float32))
        assert {p.x.dtype.name for p in read.pictures} == {
            "float32",
            "float64",
            "uint8",
        }
        for p in read.pictures:
            assert np.array_equal(engines.run(rows[0], p.x, p.y.shape), p.y)

    def test_a_row_with_a_scale_brings_its_own_sizes(self, tmp_path):
        row = rl.find(INTERPOLATE, mode="bicubic", scale_factor=1.3)
        convention("torch", INTERPOLATE)
        record.record("torch", [row], tmp_path)
        read = golden.row(row.name, "torch", tmp_path)
        sizes = {m.n_in: m.n_out for m in read.matrices}
        assert list(sizes) == record.LENGTHS
        assert sizes[10] == 13

    def test_an_engine_that_refuses_every_size_is_an_error(self, tmp_path):
        row = convention("torch", INTERPOLATE, mode="nearest", antialias=True)
        row.name, row.arithmetic = "torch.refused", None
        with pytest.raises(RuntimeError, match="every size was refused"):
            record.record("torch", [row], tmp_path)

    def test_refusals_keep_their_reason(self, tmp_path):
        row = rl.convention("onnxruntime.upsample.nearest")
        convention("onnxruntime", "onnxruntime.Upsample")
        record.record("onnxruntime", [row], tmp_path)
        read = golden.row(row.name, "onnxruntime", tmp_path)
        assert "8x4" in read.refused
        assert (8, 4) not in [(m.n_in, m.n_out) for m in read.matrices]
        assert "/" not in "".join(read.refused.values())

    def test_every_call_that_runs_is_described(self):
        for name, known in engines.LIBRARIES.items():
            assert set(known.calls) <= set(CALLS), name
