"""ONNX's resizes older than the coordinate modes: Upsample, and the first Resize."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from resizelab.axis import Convention
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import dotted
from resizelab.catalog.calls.kinds import Array, Scales
from resizelab.catalog.calls.onnx_attributes import OLDEST, Node, Rule, read_as


def of_upsample(
    who: str, modes: Sequence[str], opsets: Sequence[int], rule: Rule
) -> Callable[..., Convention]:
    """Return ``rule`` as the function that Upsample is, with scales as an input."""

    def upsample(
        X: Array,  # noqa: N803 (it is called so)
        scales: Scales = None,
        *,
        mode: Annotated[str, kinds.one_of(modes)] = "nearest",
        opset: Annotated[int, kinds.whole] = 9,
    ) -> Convention:
        if opset not in opsets:
            raise ValueError(
                f"{who} takes Upsample with scales as an input in opset "
                f"{' or '.join(map(str, opsets))}; got opset={opset!r}"
            )
        return rule(Node(mode=mode, scales=scales, opset=OLDEST))

    return upsample


def read_before(
    node: Node, front: str, ending: str, read: Node, **facts: Any
) -> Convention:
    """Return the convention of a node older than the coordinate modes."""
    name = dotted(front, node.mode, scales=node.scales is not None) + ending
    return read_as(node, front, read, **facts).replace(name=name)
