"""What a teacher types: ``python -m resizelab.teaching --help``."""

import sys

from .sheets.command import main

sys.exit(main())
