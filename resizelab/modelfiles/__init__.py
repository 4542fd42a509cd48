"""Read and write model files, within bounds.

Read `nodes` first: the resize nodes of a file, whatever its format. `files` opens what
anybody may have written, and writes whole files or none.
"""
