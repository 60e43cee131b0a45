"""Former name of the command `study.fitting.fit_evaluation`, for one release."""

import sys

from archipel.rules.deprecation import warn_renamed
from archipel.study.fitting.fit_evaluation import main

if __name__ == "__main__":
    warn_renamed(__spec__.name, "archipel.study.fitting.fit_evaluation", 2)
    sys.exit(main())
