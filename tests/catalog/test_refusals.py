"""What calls refuse, as the library does: a call in a line, and its words below it."""

import numpy as np
import pytest
from told import blocks

from resizelab import Convention, engines
from resizelab.models.calls import meant, parsed

WORDS = blocks("""
jax.image.resize()
    jax.image.resize needs method: one of nearest, linear, bilinear, trilinear,
    triangle, cubic, bicubic, tricubic, lanczos3, lanczos5, cubic-pytorch,
    bicubic-pytorch, area
jax.image.scale_and_translate(method='nearest')
    JAX refuses method='nearest' in scale_and_translate
jax.image.resize(method='linear', antialias=2)
    antialias must be True or False; got 2
tflite.ResizeBilinear(align_corners=True, half_pixel_centers=True)
    LiteRT refuses align_corners and half_pixel_centers together: if
    half_pixel_centers is True, align_corners must be False (XNNPACK alone takes both,
    and then aligns corners)
tflite.ResizeNearestNeighbor(align_corners=True, half_pixel_centers=True)
    align_corners and half_pixel_centers go together in no TensorFlow call; LiteRT's
    nearest kernel would read (i + 1/2) * (n_in - 1) / (n_out - 1), which is no
    convention here
tflite.ResizeBilinear(half_pixel=True)
    tflite.ResizeBilinear takes align_corners, half_pixel_centers,
    experimental_op_resolver_type; got half_pixel=True; did you mean
    'half_pixel_centers'?
tflite.ResizeBilinear(experimental_op_resolver_type='XNNPACK')
    experimental_op_resolver_type must be one of 'AUTO', 'BUILTIN', 'BUILTIN_REF',
    'BUILTIN_WITHOUT_DEFAULT_DELEGATES'; got 'XNNPACK'
tflite.ResizeBilinear(align_corners=2)
    align_corners must be True or False; got 2
ncnn.Interp()
    ncnn.Interp needs resize_type: one of nearest, bilinear, bicubic
ncnn.Interp(resize_type='linear')
    resize_type must be one of 'nearest', 'bilinear', 'bicubic'; got 'linear'; did you
    mean 'bilinear'?
ncnn.Interp(resize_type='nearest', align_corner=2)
    align_corner must be 0 or 1; got 2
onnx.Resize(mode='bilinear')
    mode must be one of 'nearest', 'linear', 'cubic'; got 'bilinear'; did you mean
    'linear'?
onnx.Resize(antialias=1)
    onnx.reference takes antialias=1 with mode='linear' and mode='cubic' only; got
    mode='nearest'
onnx.Resize(coordinate_transformation_mode='tf_half_pixel_for_nn')
    onnx.reference refuses coordinate_transformation_mode='tf_half_pixel_for_nn',
    which ONNX had in opsets 11 and 12
onnx.Resize(coordinate_transformation_mode='tf_crop_and_resize')
    onnx.reference needs roi with tf_crop_and_resize
onnx.Resize(opset=10)
    onnx.reference has no coordinates for Resize before opset 11; got opset=10
onnx.Resize.spec(mode='linear', antialias=1, opset=13)
    ONNX refuses antialias in opset 13: Resize has it from opset 18 on
onnx.Resize(opset=9)
    opset must be from 10 (the first with Resize) to 30; got 9
onnx.Resize(exclude_outside=2)
    exclude_outside must be 0 or 1; got 2
onnx.Resize(axes=[2, 2])
    axes must differ; got axes=[2, 2]
onnx.Resize(axes=[2, 3], scales=[2.0])
    scales must have one entry for each of axes=[2, 3]; got 1
onnx.Resize.spec(coordinate_transformation_mode='tf_crop_and_resize', roi=[0, 0, 1])
    roi must hold all starts, then all ends; got 3 numbers
onnxruntime.Resize(antialias=1)
    ONNX Runtime takes antialias=1 with mode='linear' and mode='cubic' only; got
    mode='nearest'
onnxruntime.Resize(mode='linear', exclude_outside=1)
    ONNX Runtime takes exclude_outside=1 with mode='cubic', or with mode='linear' and
    antialias=1; got mode='linear'
onnxruntime.Resize(scales=[2.0, 2.0], keep_aspect_ratio_policy='not_larger')
    ONNX Runtime refuses scales together with keep_aspect_ratio_policy='not_larger':
    the policy goes with sizes
onnxruntime.Resize(mode='cubic', antialias=1, opset=17)
    ONNX Runtime refuses antialias in opset 17: Resize has it from opset 18 on
onnxruntime.Resize(nearest_mode='floor', opset=10)
    ONNX Runtime refuses nearest_mode in opset 10: Resize has it from opset 11 on
onnxruntime.Resize(nearest_mode='simple')
    nearest_mode must be one of 'round_prefer_floor', 'round_prefer_ceil', 'floor',
    'ceil'; got 'simple'
onnxruntime.Upsample(scales=[1.0, 0.5])
    ONNX Runtime refuses Upsample with a scale below 1; got [1.0, 0.5]
onnxruntime.Upsample(opset=7)
    ONNX Runtime takes Upsample with scales as an input in opset 9; got opset=7
openvino.Resize(coordinate_transformation_mode='half_pixel_symmetric')
    coordinate_transformation_mode must be one of 'half_pixel', 'pytorch_half_pixel',
    'align_corners', 'asymmetric', 'tf_half_pixel_for_nn'; got 'half_pixel_symmetric';
    did you mean 'half_pixel'?
openvino.Resize(axes=[-1])
    OpenVINO takes axes from 0 up; got axes=[-1]
openvino.Upsample(mode='cubic')
    mode must be one of 'nearest', 'linear'; got 'cubic'
openvino.Upsample(opset=8)
    OpenVINO takes Upsample with scales as an input in opset 9 or 10; got opset=8
resize_right.resize(by_convs=True)
    ResizeRight refuses by_convs=True for NumPy arrays
resize_right.resize(pad_mode='zeros')
    pad_mode must be one of 'constant', 'edge', 'reflect', 'symmetric', 'wrap'; got
    'zeros'
resize_right.resize(support_sz=3)
    support_sz replaces the width that belongs to interp_method, and no kernel here
    has another than its own; got support_sz=3
scipy.ndimage.zoom(order=6)
    SciPy takes spline orders 0 to 5; got order=6
scipy.ndimage.zoom(order=-1)
    SciPy takes spline orders 0 to 5; got order=-1
scipy.ndimage.zoom(mode='mirrored')
    mode must be one of 'reflect', 'grid-mirror', 'constant', 'grid-constant',
    'nearest', 'mirror', 'grid-wrap', 'wrap'; got 'mirrored'; did you mean 'mirror'?
skimage.transform.resize(order=6)
    scikit-image takes orders 0 to 5; got order=6
skimage.transform.resize(anti_aliasing_sigma=-1.0)
    scikit-image takes anti_aliasing_sigma of 0 or more; got -1.0
skimage.transform.resize(mode='mirror')
    mode must be one of 'constant', 'edge', 'symmetric', 'reflect', 'wrap'; got
    'mirror'
tensorflow.compat.v1.image.resize_bilinear(align_corners=True, half_pixel_centers=True)
    TensorFlow refuses align_corners and half_pixel_centers together: if
    half_pixel_centers is True, align_corners must be False
tensorflow.image.resize(method='bilinera')
    method must be one of 'bilinear', 'nearest', 'bicubic', 'area', 'lanczos3',
    'lanczos5', 'gaussian', 'mitchellcubic'; got 'bilinera'; did you mean 'bilinear'?
tensorflow.image.resize(align_corners=True)
    tensorflow.image.resize takes images, size, method, preserve_aspect_ratio,
    antialias, name; got align_corners=True
tensorflow.compat.v1.image.resize_area(half_pixel_centers=True)
    tensorflow.compat.v1.image.resize_area takes images, size, align_corners, name;
    got half_pixel_centers=True; did you mean 'align_corners'?
tensorflow.image.crop_and_resize(method='bicubic')
    method must be one of 'bilinear', 'nearest'; got 'bicubic'
tensorflow.image.crop_and_resize(boxes=[[0, 0, 1, 1], [0, 0, 1, 1]])
    boxes must hold one box of 4 numbers (y1, x1, y2, x2), since each box is a resize
    of its own; got [[0, 0, 1, 1], [0, 0, 1, 1]]
keras.layers.UpSampling2D(interpolation='area')
    interpolation must be one of 'nearest', 'bilinear', 'bicubic', 'lanczos3',
    'lanczos5'; got 'area'; did you mean 'nearest'?
keras.layers.UpSampling2D(size=(2, 2, 2))
    size must be one whole number or two; got (2, 2, 2)
keras.layers.Resizing(crop_to_aspect_ratio=True, pad_to_aspect_ratio=True)
    Keras refuses crop_to_aspect_ratio and pad_to_aspect_ratio together
""")


@pytest.mark.parametrize("call", WORDS)
def test_a_refusal_says_why(call):
    with pytest.raises((ValueError, TypeError)) as told:
        meant(call)
    assert str(told.value) == WORDS[call]


RUN = [c for c in WORDS if c.startswith("onnxruntime.") and "opset" not in c]


@pytest.mark.parametrize("call", RUN)
def test_the_engine_refuses_it_too(call):
    pytest.importorskip("onnxruntime")
    said = parsed(call)
    asked = {"name": "asked", "library": "onnxruntime", "call": said.name}
    with pytest.raises(RuntimeError):
        engines.run(
            Convention(**asked, arguments=said.arguments),
            np.zeros((4, 4), np.float32),
            (8, 8),
        )
