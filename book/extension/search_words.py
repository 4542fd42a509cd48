"""Words that people type into the search, and the pages that answer them.

Sphinx looks for the words of a page; these are other names of what it is about.  They
become entries of the index, which the search ranks above text.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.index_entries import split_index_msg

TITLE = re.compile(r"^# .+$", re.MULTILINE)
WORDS = {
    "two-libraries": "letterbox; center crop; resize shorter side; longest side; "
    "preprocessing differs; cv2 or PIL; albumentations; torchvision transforms; "
    "cv2; PIL; opencv; pillow; jpeg; torchvision",
    "choose": "which interpolation; best mode; label map; mask resize",
    "volumes": "voxel spacing; CT; MRI; NIfTI; resample spacing; zarr; out of memory",
    "cubic": "catmull-rom; Mitchell; bicubic coefficient; Lanczos; sharpness; ringing; "
    "bicubic",
    "shrinking": "downscale; downsample; thumbnail; moire; area average; aliasing; "
    "antialias; antialiasing; anti-aliasing; downsampling; shrink",
    "zoo": "tfjs; TensorFlow.js; canvas; browser; MATLAB imresize; libvips; sharp; "
    "ffmpeg swscale; scipy zoom; MONAI; kornia; "
    "ffmpeg",
    "grids": "half pixel; align corners; coordinate transformation mode; pixel centre; "
    "half_pixel; halfpixel; align_corners; bilinear",
    "nearest": "nearest neighbour; off by one; label shift; nearest-exact; "
    "off by one pixel",
    "sizes": "output size; scale factor; rounding of sizes; odd size; 518; 37; "
    "scale_factor; ceil mode; DINOv2; floor or round",
    "geometry": "bounding box; keypoints; camera intrinsics; optical flow; anchor; "
    "bounding boxes; bbox",
    "onnx": "Resize node; Upsample; opset; roi; tf_crop_and_resize; "
    "onnx resize; coordinate_transformation_mode",
    "onnx-export": "torch.onnx.export; dynamo; symbolic; export; export to onnx",
    "backends": "TensorRT; OpenVINO; ncnn; CoreML; TFLite; LiteRT; edge device",
    "fix": "accuracy drop; shifted output; mask moved; blurry; mismatch; "
    "mask shifted; lower accuracy; wrong output",
    "detective": "identify a resize; black box; which library made this",
    "integers": "uint8; quantised; fixed point; rounding; saturate; "
    "quantization; quantized; normalize",
    "in-the-network": "grid_sample; transposed convolution; PixelShuffle; ROI Align; "
    "position embedding; FPN; "
    "deconvolution; checkerboard; pixel shuffle; patch embedding",
    "segmentation": "mIoU; Dice; DeepLab; U-Net; decoder; 513; stride; output stride",
    "gradients": "backward; autograd; adjoint; transposed operator",
    "drift": "repeated resize; pyramid; U-Net levels; cascade",
    "tf1-bug": "TensorFlow 1; resize_bilinear; half_pixel_centers; shifted",
    "your-browser": "drawImage; createImageBitmap; imageSmoothingQuality; "
    "resizeQuality; Safari; Firefox; thumbnail in the browser",
    "class-data": "data set; training data; accuracy; preprocessing; pretrained; "
    "keypoints; masks; lab session",
    "lesson-90": "slides; speaker notes; worksheet; discussion",
    "pipelines": "EXIF; premultiplied alpha; premultiplied; mean and std; "
    "preprocessing; decode",
    "teachers": "exercise; exercises; worksheet; exam",
    "speed": "benchmark; slow; fast; performance",
}


def _with_words(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write a page's entries under its title."""
    words = WORDS.get(docname.removeprefix("book/"))
    if words is None:
        return
    # With "!" an entry stands among the first results, not after them.
    entries = (f"```{{index}} ! {word.strip()}\n```" for word in words.split(";"))
    source[0] = TITLE.sub(lambda m: "\n".join([m[0], "", *entries, ""]), source[0], 1)


def _keep_entries(app: Sphinx, env: BuildEnvironment) -> None:
    """Give the search the entries of all pages.

    Sphinx takes the words of pages that are not written anew from the last index, but
    drops their entries; the domain of the index still knows them.
    """
    entries = env._search_index_index_entries
    entries.clear()
    for docname, nodes in env.get_domain("index").data["entries"].items():
        found = {
            (word, target or "", main)
            for kind, value, target, main, _ in nodes
            for word in split_index_msg(kind, value)
        }
        entries[docname] = sorted(found)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the words as each page is read; rank the chapters before the lists."""
    app.connect("source-read", _with_words)
    app.connect("env-updated", _keep_entries)
    app.config.html_search_scorer = str(Path(__file__).with_name("scorer.js"))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
