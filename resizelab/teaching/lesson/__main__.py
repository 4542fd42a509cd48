"""Write the lesson into a folder: ``python -m resizelab.teaching.lesson FOLDER``."""

import sys

from . import write

if len(sys.argv) != 2:
    sys.exit("usage: python -m resizelab.teaching.lesson FOLDER")
for path in write(sys.argv[1]):
    print(path)
