"""Write the lesson into a folder: ``python -m resizelab.teaching.lesson FOLDER``."""

from argparse import ArgumentParser

from . import write

ask = ArgumentParser("python -m resizelab.teaching.lesson", description=write.__doc__)
ask.add_argument("folder", help="where the files go; it is made if it is not there")
for path in write(ask.parse_args().folder):
    print(path)
