"""Half precision, beside the engines that take it: within one step of its own."""

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines

pytestmark = pytest.mark.live
# Steps of float16 next to 1 that an answer may be off; PyTorch's sampling grid is half
# precision itself, and positions with it.
STEPS = {"torch.grid_sample.bilinear.zeros": 17}
ROWS = (
    *("torch.nearest", "torch.bilinear", "torch.bicubic", "torch.area", *STEPS),
    *("tf2.nearest", "tf2.bilinear", "tf2.bicubic", "tf2.bilinear.antialias"),
    *("jax.nearest", "jax.linear", "jax.cubic", "keras.resizing.bilinear"),
    *("onnxruntime.nearest", "onnxruntime.linear", "onnxruntime.cubic"),
    *("onnx.linear", "openvino.linear", "skimage.linear"),
)
SIZES = ((9, 7, 6, 12), (16, 16, 4, 4), (5, 8, 10, 16), (33, 21, 17, 40))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ROWS)
def test_float16_is_within_a_step_of_the_engine_s(name):
    row, rng = rl.convention(name), np.random.default_rng(0)
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    for h, w, oh, ow in SIZES:
        x = rng.random((h, w)).astype(np.float16)
        theirs, mine = engines.run(row, x, (oh, ow)), rl.resize(x, (oh, ow), row)
        assert theirs.dtype == mine.dtype
        gap = np.abs(theirs.astype(np.float64) - mine.astype(np.float64)).max()
        picks = row.spec.kernel == "nearest"
        assert gap <= (0 if picks else STEPS.get(name, 2) * 2.0**-11)


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_bfloat16_is_within_a_step_of_torch_s(mode):
    torch = pytest.importorskip("torch")
    x = torch.rand(1, 1, 16, 16, generator=torch.Generator().manual_seed(0)).bfloat16()
    theirs = torch.nn.functional.interpolate(x, size=(7, 23), mode=mode)[0, 0].float()
    floats = rl.resize(x[0, 0].float().numpy(), (7, 23), f"torch.{mode}")
    mine = torch.tensor(floats).bfloat16().float()
    assert float((theirs - mine).abs().max()) <= 2.0**-7


def test_torch_takes_no_half_with_antialias():
    torch = pytest.importorskip("torch")
    x = torch.zeros(1, 1, 8, 8, dtype=torch.float16)
    with pytest.raises(NotImplementedError, match="not implemented for 'Half'"):
        torch.nn.functional.interpolate(x, size=4, mode="bilinear", antialias=True)
