"""albumentations: the transform ``Resize``."""

import os
from typing import Any

from resizelab.engines import opencv
from resizelab.engines.libraries import MORE, Array, Library, Sizes

LIBRARY = Library("albumentations", "albumentations", "albumentations", extra=MORE)


@LIBRARY.call("albumentations.Resize", each=True, rows=True)
def resize(x: Array, size: Sizes, **options: Any) -> Any:
    """Resize to (height, width); its question for a newer version is never sent."""
    os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")
    package = LIBRARY.load("albumentations")
    return package.Resize(*size, p=1, **opencv.flags(options))(image=x)["image"]
