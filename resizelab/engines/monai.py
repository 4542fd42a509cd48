"""MONAI: the transform ``Resize``."""

from typing import Any

from resizelab.engines.libraries import MODE_AXES, MORE, Array, Library, Sizes, load

LIBRARY = Library("monai", "monai", "monai", extra=MORE)


@LIBRARY.call("monai.transforms.Resize", each=True, axes=(1, 3), mode_axes=MODE_AXES)
def resize(x: Array, size: Sizes, **options: Any) -> Any:
    """Resize an array with a channel in front; the result is float32."""
    transform = LIBRARY.load("monai.transforms").Resize(size, **options)
    return transform(load("torch", "torch").from_numpy(x[None].copy()))[0]
