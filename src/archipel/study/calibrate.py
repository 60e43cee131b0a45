"""Former name of the command `study.fitting.calibrate`, for one release."""

import sys

from archipel.rules.deprecation import warn_renamed
from archipel.study.fitting.calibrate import main

if __name__ == "__main__":
    warn_renamed(__spec__.name, "archipel.study.fitting.calibrate", 2)
    sys.exit(main())
