"""What the book teaches with: plots, explorers, exercises, the lesson, small networks.

Read a chapter in ``book/`` first, then what it imports. Nothing is imported here:
``resizelab.teaching.plots`` needs the extra "plots", ``resizelab.teaching.explorers``
the extra "widgets".
"""
