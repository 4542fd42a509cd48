"""``python -m resizelab`` is the command ``resizelab``."""

import sys

from resizelab.cli import main

sys.exit(main())
