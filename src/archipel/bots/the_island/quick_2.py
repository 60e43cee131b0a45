"""quick-2: a handful of the actions, weighed as quick-1 weighs them.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.quick import quick_choice
from archipel.bots.the_island.quick_1 import TRAITS, describe_1, glance_1

HANDFUL: Final = 4

choose_quickly_2 = quick_choice("the-island", "quick_1", describe_1, TRAITS, glance_1, HANDFUL)
