"""kornia: ``geometry.transform.resize``."""

from typing import Any

from resizelab.engines.libraries import MORE, Array, Library, Sizes, load

LIBRARY = Library("kornia", "kornia", "kornia", extra=MORE)


@LIBRARY.call("kornia.geometry.transform.resize", channel=1)
def resize(x: Array, size: Sizes, **options: Any) -> Any:
    """Resize to sizes: kornia takes floats alone."""
    transform = LIBRARY.load("kornia.geometry.transform")
    return transform.resize(
        load("torch", "torch").from_numpy(x.copy()), size, **options
    )
