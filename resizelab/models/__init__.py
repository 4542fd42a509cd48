"""What the resizes of a model file compute, who disagrees, and what to change.

Read `lint` first (files) and `call_lint` (calls as they are written); then `compare`,
`patch` and `passport`. `same_resize` is a fixture for other people's tests.
"""
