"""What no run time can work with: sizes and scales that are none."""

import math
from collections.abc import Iterator

from resizelab import checks
from resizelab.modelfiles.nodes import ResizeNode


def impossible(node: ResizeNode) -> Iterator[str]:
    """Go through the sizes and scales that no run time can work with."""
    most, rank = checks.LARGEST_SIZE, len(node.arguments.get("axes") or ())
    rank = rank or len(node.before or ())
    # A shape that follows from scales says nothing that they do not say.
    made = node.targets or (() if node.scales else node.after)
    for n in (*(node.before or ()), *(made or ())):
        if n is not None and not 1 <= n <= most:
            yield f"a size must be from 1 to {most}; the file says {n}"
    for what, given in (("scales", node.scales), ("sizes", node.targets)):
        if given and rank and len(given) != rank:
            yield f"there are {len(given)} {what} for {rank} axes"
    for axis, scale in enumerate(node.scales or ()):
        whole = len(node.before or ()) == len(node.scales or ())
        n = node.before[axis] if node.before and whole else None
        if not 0 < scale < math.inf:
            yield f"scale must be finite and above 0; the file says {scale:g}"
        elif not 1 / most <= scale * max(1, n or most) or scale * (n or 1) > most:
            yield f"scale {scale:g} makes no size from 1 to {most} of {n or 1}"
