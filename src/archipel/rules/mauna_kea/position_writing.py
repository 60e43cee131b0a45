"""Positions as text; `position_reading` says what the words mean."""

from __future__ import annotations

from archipel.rules.mauna_kea.box import BOX_NAME
from archipel.rules.mauna_kea.box_parts import LAYOUTS
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    ARTEFACTS,
    CARD_NAMES,
    COLOUR,
    COLOUR_NAMES,
    FIRST_LAVA,
    FIRST_START,
    FLOW_NAMES,
    KINDS,
    NO_TILE,
    TILE_NAMES,
)
from archipel.rules.mauna_kea.geometry import NOWHERE, space_name
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.position_lava import flow_text
from archipel.rules.mauna_kea.position_names import (
    ENDINGS,
    LAYOUT_NUMBERS,
    PHASES,
    RESUMED,
    SWITCH,
    artefact_text,
    boat_text,
    cards_text,
    counts_text,
    explorer_text,
    listed,
    name_of,
    seat_text,
    tile_text,
)
from archipel.rules.mauna_kea.state import (
    GONE,
    NO_CARD,
    State,
    explorers_each,
)


def position_text(s: State) -> str:
    """Words that have their default value are left out."""
    return " ".join([*_course_words(s), *_island_words(s), *_piece_words(s), *_card_words(s)])


def _course_words(s: State) -> list[str]:
    return [
        f"seats={s.seats}",
        f"box={BOX_NAME}",
        *_written("expert", name_of(SWITCH, s.expert), "off"),
        *_written("layout", name_of(LAYOUT_NUMBERS, s.layout), LAYOUTS[0]),
        *_written("quiet_first_round", name_of(SWITCH, s.quiet_first_round), "off"),
        f"phase={name_of(PHASES, s.phase)}",
        f"turn={s.to_move + 1}",
        f"first={seat_text(s.first)}",
        *_written("resume", name_of(RESUMED, s.resume), "play"),
        *_written("active", seat_text(s.active)),
        *_written("held", tile_text(s.held)),
        *_written("chosen", "-" if s.chosen == NOWHERE else space_name(s.chosen)),
        *_written("card", "-" if s.card == NO_CARD else CARD_NAMES[s.card]),
        *_written("number", str(s.turn_number), "0"),
        *_written("pool", str(s.pool), "0"),
        *_written("stirred", str(s.stirred), "0"),
        *_written("quiet", str(s.quiet_turns), "0"),
        *_written("ending", name_of(ENDINGS, s.ending)),
        *_written("closer", seat_text(s.closer)),
    ]


def _island_words(s: State) -> list[str]:
    words = _written("board", _board_text(s))
    for flow, name in enumerate(FLOW_NAMES):
        words += _written(name, flow_text(s, flow))
    words += _written("aside", counts_text([0] * FIRST_LAVA + s.aside))
    words += _written("out", counts_text(s.out[:FIRST_START]))
    for seat in range(s.seats):
        tiles = [tile_text(tile) for tile in s.front[seat] if tile != NO_TILE]
        words += _written(f"front{seat + 1}", listed(tiles))
    return words


def _piece_words(s: State) -> list[str]:
    words = []
    for seat in range(s.seats):
        places = s.explorer[seat][: explorers_each(s)]
        words.append(f"explorers{seat + 1}=" + ",".join(explorer_text(place) for place in places))
    words += _written("handled", _handled_text(s))
    for colour, name in enumerate(COLOUR_NAMES):
        places = [s.artefact[a] for a in range(ARTEFACTS) if COLOUR[a] == colour]
        while places and places[-1] == GONE:
            places.pop()
        words += _written(name, listed([artefact_text(place) for place in places]))
    words.append("boats=" + ",".join(boat_text(s, place) for place in s.boat))
    return words


def _card_words(s: State) -> list[str]:
    words = []
    for seat in range(s.seats):
        words += _written(f"cards{seat + 1}", cards_text(s.hand[seat]))
        words += _written(f"rejected{seat + 1}", cards_text(s.rejected[seat]))
    played = [CARD_NAMES[kind] for kind in range(ACTION_KINDS) for _ in range(s.played[kind])]
    return words + _written("played", listed(played))


def _written(name: str, value: str, default: str = "-") -> list[str]:
    return [] if value == default else [f"{name}={value}"]


def _board_text(s: State) -> str:
    return listed(
        [
            f"{space_name(space)}:{TILE_NAMES[tile]}"
            + (f".{s.turn[space]}" if s.turn[space] else "")
            for space, tile in enumerate(s.tile)
            if tile < KINDS and not is_lava(tile)
        ]
    )


def _handled_text(s: State) -> str:
    return listed(
        [
            f"{explorer + 1}{sign}{COLOUR_NAMES[colour][0]}"
            for explorer, bits in enumerate(s.handled)
            for shift, sign in ((0, "+"), (len(COLOUR_NAMES), "-"))
            for colour in range(len(COLOUR_NAMES))
            if bits >> (shift + colour) & 1
        ]
    )
