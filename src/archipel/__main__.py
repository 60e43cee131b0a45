"""``python -m archipel``, where the ``archipel`` command is not installed."""

import sys

from archipel.cli import main

sys.exit(main())
