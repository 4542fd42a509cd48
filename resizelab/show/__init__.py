"""Pictures of resizes: Matplotlib plots, and explorers that live in a page.

Nothing is imported here: ``resizelab.show.plots`` needs the extra "plots",
``resizelab.show.widgets`` the extra "widgets".
"""
