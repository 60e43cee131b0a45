"""What the quick bots of both games leave open: placeholders that `Sight` fills (`quick_1`)."""

from __future__ import annotations

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.kit import rule

#: Steps from a space to where people are saved, whatever lies between.
TO_SAFETY: list[int] = []

# ---- traits, by the first of their numbers ------------------------------------------------------

EMPTY_BOAT: int = 0  # way
SAILING: int = 0  # way
CREW: int = 0  # one's own and others
BOARDING: int = 0  # from land, water or boat
JOINED: int = 0  # one's own and others aboard
BOARDED_AT: int = 0  # way
COURSE: int = 0  # loaded or not, nearer or farther, way
FETCH: int = 0  # nearer to one's own or farther, steps

# ---- rules --------------------------------------------------------------------------------------


@rule
def decider(s: HasSea) -> int:
    """Whose decision it is.

    Own: `the_island.quick_1.decider`, `atlantis.quick_1.decider`.
    """
    raise NotImplementedError


@rule
def distance(one: int, other: int) -> int:
    """Steps between two spaces, whatever lies between them.

    Own: `the_island.distances.distance`, `atlantis.quick_1.distance`.
    """
    raise NotImplementedError


@rule
def steps_to_own(s: HasSea, space: int) -> int:
    """From a space to the nearest of one's own for whom an empty boat would come.

    Own: `the_island.quick_1.steps_to_own`, `atlantis.quick_1.steps_to_own`.
    """
    raise NotImplementedError
