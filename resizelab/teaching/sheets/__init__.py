"""Exercises and homework written for the systems that collect answers.

One store, the exercises' and the tasks' own values; `gift` writes them for Moodle,
`qti` for Canvas and others, `notebooks` for nbgrader and otter. What each wrong answer
means goes along as its feedback. From the shell: ``python -m resizelab.teaching``.
"""
