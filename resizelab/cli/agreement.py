"""What the subcommands do that make two sides agree: matrices in models, pipelines."""

from argparse import Namespace

from resizelab.cli import commands


def patch(options: Namespace) -> int:
    """Change a node's attributes, or make it a matrix, and write the model."""
    from resizelab.exact import proof, writing

    if not options.exact:
        if not options.node or not options.changes:
            raise ValueError("patch needs --node and --set, or --exact")
        return commands.patch(options)
    if options.changes:
        raise ValueError("--exact takes the place of --set: give one of them")
    made = writing.write(
        options.model,
        options.output,
        options.in_place,
        nodes=options.node or "*",
        like=None if options.like is None else commands.asked(options.like),
        feeds=commands.inputs(options.input),
        back_ends=options.back_end or proof.BACK_ENDS,
    )
    return commands.said(options, made)
