"""Subcommands that make two sides agree: matrices in models, pipelines."""

from argparse import Namespace
from typing import Any

from resizelab.cli.models import fed, inputs, target
from resizelab.cli.names import Subparsers, command
from resizelab.cli.printing import pairs, said
from resizelab.exact.proof import BACK_ENDS
from resizelab.models.calls import meant


def add(sub: Subparsers) -> None:
    """Add the subcommands of this module."""
    words = "change a resize node's attributes, or make it a matrix"
    made = command(sub, "patch", patch, words)
    made.add_argument("model")
    made.add_argument("--node", help="its name or output; * for all")
    made.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="NAME=VALUE"
    )
    _exact(made)
    target(made)


def _exact(made: Any) -> None:
    words = "put matrices in the place of resizes, so that all back ends agree"
    made.add_argument("--exact", action="store_true", help=words)
    made.add_argument("--like", help="what they compute: a name or a call")
    fed(made)
    made.add_argument(
        "--back-end",
        action="append",
        choices=BACK_ENDS,
        help="where it is run before and after; may be repeated (otherwise all)",
    )


def patch(options: Namespace) -> int:
    """Change a node's attributes, or make it a matrix, and write the model."""
    from resizelab.exact import writing
    from resizelab.models.patch import patch as change

    changes = pairs("--set", options.changes)
    if not options.exact:
        if not options.node or not changes:
            raise ValueError("patch needs --node and --set, or --exact")
        made = change(
            options.model, options.node, changes, options.output, options.in_place
        )
        return said(options, made)
    if changes:
        raise ValueError("--exact takes the place of --set: give one of them")
    written = writing.write(
        options.model,
        options.output,
        options.in_place,
        nodes=options.node or "*",
        like=None if options.like is None else meant(options.like),
        feeds=inputs(options.input),
        back_ends=options.back_end or BACK_ENDS,
    )
    return said(options, written)
