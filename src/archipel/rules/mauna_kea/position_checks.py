"""Checks that a position can occur in a game: pieces, cards, the stage of the turn, the end."""

from __future__ import annotations

from typing import Final

from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import moving
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.cards import can_turn, ground_of
from archipel.rules.mauna_kea.components import CardKind, SpaceKind, Tile
from archipel.rules.mauna_kea.end import check_bag, check_end
from archipel.rules.mauna_kea.grid import CELLS, NOWHERE, cell_name, space_name
from archipel.rules.mauna_kea.invariants import count_explorers, lifted
from archipel.rules.mauna_kea.knowledge import unseen_of
from archipel.rules.mauna_kea.notation import ENDINGS, PHASES
from archipel.rules.mauna_kea.reach import find_way, somebody_can_leave
from archipel.rules.mauna_kea.state import (
    ACTIONS,
    NO_CARD,
    NOBODY,
    OWNED,
    Activity,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    State,
    explorers_each,
    explorers_on_island,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import points_in_front, tiles_in_bag
from archipel.rules.mauna_kea.turn import legal
from archipel.rules.position_fields import name_of, refuse

_SETTING_UP: Final = (Phase.CHOOSE, Phase.PLACE)
_QUAKING: Final = (Phase.QUAKE_SPACE, Phase.QUAKE_TURN, Phase.QUAKE_DRAW)
_WITH_CARD: Final = (Phase.CARD_EXPLORER, Phase.CARD_CELL, *_QUAKING)
_LAYING: Final = (Phase.SPACE, Phase.TURN)
#: Phases that return to the phase in which they began.
_ON_THE_WAY: Final = (Phase.EXPLORER, *_WITH_CARD, *_LAYING)


def _check_explorers(s: State) -> None:
    met: dict[int, str] = {}
    for seat in range(s.seats):
        for explorer, cell in enumerate(s.explorer[seat][: explorers_each(s)]):
            who = f"{seat + 1}.{explorer + 1}"
            if cell == ExplorerPlace.UNPLACED and s.phase not in _SETTING_UP:
                refuse("explorer {who} is not placed yet, but play has begun (MK-S2)", who=who)
            if cell < 0:
                continue
            parts = {"who": who, "cell": cell_name(cell), "other": met.get(cell, "")}
            if box.COST[terrain_at(s, cell)] == 0:
                refuse("explorer {who} is on {cell}, where nobody can stand (MK-M1)", parts)
            if cell in met:
                refuse("explorers {other} and {who} are both on {cell} (MK-S2)", parts)
            met[cell] = who


def _check_boats(s: State) -> None:
    for boat, place in enumerate(s.boat):
        if place < box.COVES and place in s.boat[:boat]:
            parts = {"other": s.boat.index(place) + 1, "boat": boat + 1}
            cove = box.COVE_NAMES[s.layout][place]
            refuse("boats {other} and {boat} are both in cove {cove} (MK-B2)", parts, cove=cove)
    for seat in range(s.seats):
        boats = s.boat.count(OWNED + seat)
        saved = count_explorers(s, seat, ExplorerPlace.SAVED)
        if boats != saved:
            refuse(
                "seat {seat} has {saved} explorers saved and {boats} boats in front: as many of "
                "each (MK-B2)",
                {"seat": seat + 1, "saved": saved, "boats": boats},
            )


def _check_artefacts(s: State) -> None:
    for artefact, place in enumerate(s.artefact):
        colour = box.COLOUR_NAMES[box.COLOUR[artefact]]
        if 0 <= place < CELLS and box.COST[terrain_at(s, place)] == 0:
            parts = {"colour": colour, "cell": cell_name(place)}
            refuse("{colour}: an artefact lies on {cell}, where nobody can stand (MK-A1)", parts)
        elif ArtefactPlace.CARRIED <= place < ArtefactPlace.ABOARD:
            _check_carried(s, colour, place)
        elif ArtefactPlace.ABOARD <= place < ArtefactPlace.ON_CARD:
            _check_aboard(s, colour, place - ArtefactPlace.ABOARD)
        elif place >= ArtefactPlace.ON_CARD:
            seat = place - ArtefactPlace.ON_CARD
            if seat >= s.seats or count_explorers(s, seat, ExplorerPlace.LIFTED) == 0:
                refuse(
                    "{colour}: no explorer of seat {seat} was lifted with an artefact (MK-A1, "
                    "MK-X8)",
                    colour=colour,
                    seat=seat + 1,
                )


def _check_carried(s: State, colour: str, place: int) -> None:
    seat, explorer = divmod(place - ArtefactPlace.CARRIED, carrier(1, 0) - carrier(0, 0))
    parts = {"colour": colour, "who": f"{seat + 1}.{explorer + 1}", "most": box.MOST_CARRIED}
    if seat >= s.seats or explorer >= explorers_each(s) or s.explorer[seat][explorer] < 0:
        refuse(
            "{colour}: explorer {who}, who would carry an artefact, is not on the island (MK-A1)",
            parts,
        )
    if artefacts_at(s, place) > box.MOST_CARRIED:
        refuse("explorer {who} carries more than {most} artefacts (MK-A1)", parts)


def _check_aboard(s: State, colour: str, boat: int) -> None:
    parts = {"colour": colour, "boat": boat + 1, "places": box.PLACES[boat]}
    if s.boat[boat] < OWNED:
        refuse(
            "{colour}: boat {boat}, with an artefact on it, is still in its cove (MK-A1, MK-B2)",
            parts,
        )
    if artefacts_at(s, ArtefactPlace.ABOARD + boat) > box.PLACES[boat]:
        refuse("boat {boat} has places for {places} artefacts (MK-A1, MK-B1)", parts)


def _check_fronts(s: State) -> None:
    for seat in range(s.seats):
        points = [box.POINTS[tile] for tile in s.front[seat] if tile != Tile.NONE]
        if sum(points) - max(points, default=0) >= box.DRAW_UNTIL:
            refuse(
                "front{seat}: nobody draws on with {most} points or more in front (MK-T4)",
                seat=seat + 1,
                most=box.DRAW_UNTIL,
            )


def count_cards(places: list[int]) -> int:
    return sum(card != NO_CARD for card in places)


def in_placement_order(s: State) -> list[tuple[int, bool]]:
    """The seats, and whether each has already chosen its cards."""
    order = [(s.first - step) % s.seats for step in range(s.seats)]
    return [(seat, order.index(seat) < order.index(s.to_move)) for seat in order]


def _check_cards(s: State) -> None:
    for kind, name in enumerate(box.CARD_NAMES):
        if unseen_of(s, kind) < 0:
            refuse("{card}: there are fewer of these cards (MK-X9)", card=name)
    if s.expert == 0:
        for seat in range(s.seats):
            if count_cards(s.hand[seat]) + count_cards(s.rejected[seat]) > 0:
                refuse(
                    "cards{seat}: there are cards in the expert game only (MK-X1)", seat=seat + 1
                )
        if any(s.played):
            refuse("played: there are cards in the expert game only (MK-X1)")
    elif s.phase == Phase.CHOOSE:
        _check_choosing(s)
    else:
        _check_kept(s)
    helicopters, up = s.played[CardKind.HELICOPTER], lifted(s)
    if up + (s.card == CardKind.HELICOPTER) != helicopters:
        refuse(
            "played: {played} helicopters, but {lifted} explorers are lifted (MK-X1, MK-X8)",
            played=helicopters,
            lifted=up,
        )
    if s.card != NO_CARD and s.played[max(0, s.card)] == 0:
        parts = {"card": box.CARD_NAMES[s.card]}
        refuse("card={card}: the card being played is among those played (MK-X4)", parts)


def _check_choosing(s: State) -> None:
    for seat, chosen in in_placement_order(s):
        rejected = count_cards(s.rejected[seat])
        possible = range(box.REJECTED) if seat == s.to_move else [box.REJECTED if chosen else 0]
        if rejected not in possible or count_cards(s.hand[seat]) != box.DEALT - rejected:
            refuse(
                "cards{seat}: of six cards two are rejected, seat by seat in the order of "
                "placement (MK-X1)",
                seat=seat + 1,
            )
    if any(s.played):
        refuse("played: no card is played before the game begins (MK-X4)")


def _check_kept(s: State) -> None:
    for seat in range(s.seats):
        parts = {"seat": seat + 1, "kept": box.KEPT}
        if count_cards(s.rejected[seat]) != (0 if s.phase == Phase.OVER else box.REJECTED):
            refuse(
                "rejected{seat}: each has rejected two cards, which are gone once the game is over "
                "(MK-X1)",
                parts,
            )
        if count_cards(s.hand[seat]) > box.KEPT:
            refuse("cards{seat}: {kept} cards at most are kept (MK-X1)", parts)
    held, played = sum(count_cards(hand) for hand in s.hand), sum(s.played)
    if held + played != box.KEPT * s.seats:
        refuse(
            "cards: {held} are held and {played} played, of {dealt} that were kept (MK-X1)",
            {"held": held, "played": played, "dealt": box.KEPT * s.seats},
        )
    if s.phase == Phase.PLACE and played > 0:
        refuse("played: no card is played before the game begins (MK-X4)")


def _mark_way(s: State) -> None:
    """Work out where the card being played leads (MK-X5)."""
    if s.phase == Phase.CARD_CELL:
        known = NO_CARD < s.card <= CardKind.MOUNTAIN
        if s.active == NOBODY or not known or s.explorer[s.to_move][s.active] < 0:
            refuse("phase=card-cell: say which card and which active explorer (MK-X5)")
        find_way(s, s.to_move, s.active, ground_of(s.card))


def _check_stage(s: State, _: State) -> None:
    """Check that all words belong to the phase, and that there is a decision to make."""
    parts = {"phase": name_of(PHASES, s.phase), "seat": s.to_move + 1}
    _check_words(s)
    if s.phase in _SETTING_UP:
        _check_set_up(s)
        return
    _check_refill(s)
    most = 3 * box.MOST_TILES
    if s.pool + points_in_front(s, s.to_move) > most or (s.phase == Phase.OVER and s.pool > 0):
        refuse(
            "pool={pool}: points come from the tiles that were in front, {most} in all at most "
            "(MK-T3)",
            pool=s.pool,
            most=most,
        )
    if s.phase == Phase.LEAVE:
        _check_leaving(s)
    elif s.phase in _LAYING:
        _check_laying(s)
    elif s.phase in _WITH_CARD:
        _check_card(s)
    if s.phase != Phase.OVER and legal(s, [0] * ACTIONS) == 0:
        refuse("phase={phase}: there is nothing to decide for seat {seat} (MK-T1)", parts)


def _check_words(s: State) -> None:
    phase = {"phase": name_of(PHASES, s.phase)}
    if (s.held != Tile.NONE) != (s.phase in _LAYING):
        refuse("phase={phase}: held is the tile being laid (MK-T2)", phase)
    if (s.chosen != NOWHERE) != (s.phase in (Phase.TURN, Phase.QUAKE_TURN)):
        refuse("phase={phase}: chosen is the space of the tile (MK-T2, MK-X7)", phase)
    if s.phase in _WITH_CARD and s.card == NO_CARD:
        refuse("phase={phase}: card is the card being played (MK-X4)", phase)
    if s.card != NO_CARD and s.phase not in (*_WITH_CARD, *_LAYING):
        refuse("phase={phase}: no card is being played (MK-X4)", phase)
    if s.active != NOBODY and s.explorer[s.to_move][s.active] < 0:
        parts = {"seat": s.to_move + 1, "number": s.active + 1}
        refuse("active={number}: explorer {seat}.{number} is not on the island (MK-M1)", parts)
    if s.active == NOBODY and s.phase in (Phase.EXPLORER, Phase.LEAVE):
        refuse("phase={phase}: active is the explorer meant (MK-T1)", phase)
    if s.expert == 0 and s.phase in (Phase.CHOOSE, Phase.REFILL, *_WITH_CARD):
        refuse("phase={phase}: only in the expert game (MK-X4)", phase)
    acting = s.active != NOBODY or any(s.handled)
    if acting and s.phase in (*_SETTING_UP, Phase.OVER):
        refuse("phase={phase}: nobody acts now, so active and handled say nothing (MK-T1)", phase)
    each = explorers_each(s)
    if any(s.handled[each:]):
        parts = {"seats": s.seats, "each": each}
        refuse("handled: with {seats} players there are {each} explorers each (MK-C1)", parts)


def _check_refill(s: State) -> None:
    """MK-X4: between the draws of a refill; points left over from the play are gone (MK-T5)."""
    if s.resume != Phase.PLAY and s.phase not in _ON_THE_WAY:
        phase = name_of(PHASES, s.phase)
        refuse("phase={phase}: there is nothing to resume (MK-X4)", phase=phase)
    refilling = Phase.REFILL in (s.phase, s.resume)
    if refilling and s.expert == 0:
        refuse("resume=refill: only in the expert game (MK-X4)")
    if refilling and s.pool > 0:
        refuse("pool={pool}: points that are left are lost before a refill (MK-T5)", pool=s.pool)
    drawn = s.card == CardKind.EARTHQUAKE and s.phase in _LAYING
    if refilling and s.ending != Ending.NOT_YET and not drawn:
        ending = name_of(ENDINGS, s.ending)
        refuse(
            "ending={ending}: nobody refills once the game is ending (MK-E2, MK-X3)", ending=ending
        )
    quiet = s.quiet_first_round != 0 and s.turn_number < s.seats
    if any(s.aside) and not (refilling and quiet):
        refuse(
            "aside: lava waits beside the board only in the refill of a quiet first round (MK-L7)"
        )


def _check_leaving(s: State) -> None:
    seat, explorer = s.to_move, s.active
    cell = s.explorer[seat][explorer]
    if (
        moving.boat_at(s, cell) == moving.NO_BOAT
        or not moving.must_leave_some(s, seat, explorer)
        or not moving.can_choose_what_to_leave(s, seat, explorer)
    ):
        refuse(
            "phase=leave: explorer {seat}.{number} on {cell} need not choose what to leave (MK-B1)",
            {"seat": seat + 1, "number": explorer + 1, "cell": cell_name(cell)},
        )


def _check_laying(s: State) -> None:
    phase = {"phase": name_of(PHASES, s.phase)}
    if s.card not in (NO_CARD, CardKind.EARTHQUAKE):
        refuse("phase={phase}: of the cards only the earthquake brings a tile (MK-X7)", phase)
    if s.card == NO_CARD and s.resume != Phase.PLAY:
        refuse("resume=refill phase={phase}: tiles in front are laid in the play (MK-T2)", phase)
    if s.phase == Phase.TURN:
        if s.tile[s.chosen] != Tile.EMPTY or box.ORIENTATIONS[s.held] == 1:
            refuse(
                "phase=turn: {space} is not empty, or the tile looks the same all round (MK-T2, "
                "MK-C5)",
                space=space_name(s.chosen),
            )


def _check_card(s: State) -> None:
    if (s.card == CardKind.EARTHQUAKE) != (s.phase in _QUAKING):
        phase = name_of(PHASES, s.phase)
        refuse("phase={phase}: not for the card that is played (MK-X4)", phase=phase)
    if s.phase == Phase.QUAKE_TURN and not can_turn(s, s.chosen):
        space = space_name(s.chosen)
        refuse("chosen={space}: no tile that can be turned lies there (MK-X7)", space=space)
    if s.phase == Phase.QUAKE_DRAW and tiles_in_bag(s) == 0:
        refuse("phase=quake-draw: the bag is empty (MK-X7)")
    if s.card == CardKind.HELICOPTER and explorers_on_island(s, s.to_move) < 2:
        parts = {"seat": s.to_move + 1}
        refuse("card=helicopter: it does not lift the last explorer of seat {seat} (MK-X8)", parts)


def _check_set_up(s: State) -> None:
    """MK-S1 to MK-S3, MK-X1: nothing has been played yet."""
    untouched = (
        not any((*s.flow_length, *s.out[: Tile.FIRST_START], *s.aside))
        and all(tile == Tile.NONE for front in s.front for tile in front)
        and (s.turn_number, s.pool, s.stirred, s.quiet_turns) == (0, 0, 0, 0)
        and all(boat < box.COVES for boat in s.boat)
        and (s.resume, s.ending) == (Phase.PLAY, Ending.NOT_YET)
    )
    if not untouched:
        refuse(
            "phase={phase}: nothing is drawn, spent, flooded or boarded before the first turn "
            "(MK-S3)",
            phase=name_of(PHASES, s.phase),
        )
    order = [seat for seat, _ in in_placement_order(s)]
    for seat in order:
        _check_start(s, seat)
    placed = [explorers_on_island(s, seat) for seat in order]
    turn = order.index(s.to_move)
    if s.phase == Phase.CHOOSE:
        if any(placed):
            refuse("phase=choose: explorers are placed after the cards (MK-X1)")
        return
    expected = [placed[turn] + (step < turn) for step in range(s.seats)]
    if placed != expected or placed[turn] == explorers_each(s):
        refuse("explorers are placed one at a time, counter-clockwise (MK-S2)")


def _check_start(s: State, seat: int) -> None:
    """MK-S2: on start cells, in the order of their numbers."""
    waiting = False
    for explorer, cell in enumerate(s.explorer[seat][: explorers_each(s)]):
        waiting = waiting or cell == ExplorerPlace.UNPLACED
        on_start = cell >= 0 and box.SPACE_KIND[s.layout][cell // 4] == SpaceKind.EXPLORER
        if cell != ExplorerPlace.UNPLACED and (waiting or not on_start):
            refuse(
                "explorers{seat}: explorer {seat}.{number} is placed on a start cell beside the "
                "volcano, after those with lower numbers (MK-S2)",
                {"seat": seat + 1, "number": explorer + 1},
            )


def _check_closer(s: State) -> None:
    if (s.ending in (Ending.NOT_YET, Ending.CLOCK)) != (s.closer == NOBODY):
        refuse("closer: required once the end has begun, not allowed before (MK-E2)")


def _check_end(s: State, world: State) -> None:
    """MK-E1 to MK-E3, MK-X3: the end has begun if it must have, and only then."""
    if s.phase in _SETTING_UP:
        return
    limit = box.CLOCK_ROUNDS * s.seats
    if s.expert == 0 and s.quiet_turns >= limit and s.ending != Ending.CLOCK:
        refuse(
            "quiet={quiet}: with {seats} players the game ends after {limit} such turns (MK-E3)",
            {"quiet": s.quiet_turns, "seats": s.seats, "limit": limit},
        )
    if s.ending == Ending.NOT_YET:
        if s.phase == Phase.OVER:
            refuse("phase=over: say why it ended, as in ending=no-explorer (MK-E1)")
        _check_no_end(s, world)
        return
    possible = {
        Ending.NO_EXPLORER: any(explorers_on_island(s, seat) == 0 for seat in range(s.seats)),
        Ending.NO_WAY_OUT: s.expert == 0 and not somebody_can_leave(world),
        Ending.CLOCK: s.expert == 0 and s.phase == Phase.OVER and s.quiet_turns == limit,
        Ending.EMPTY_BAG: s.expert != 0 and tiles_in_bag(s) == 0,
    }
    if not possible[s.ending]:
        refuse(
            "ending={ending}: the game cannot be ending like this here (MK-E1, MK-E3, MK-X3)",
            ending=name_of(ENDINGS, s.ending),
        )
    if s.expert and s.closer != s.to_move:
        refuse(
            "closer={closer}: in the expert game only the turn that ends it is played on (MK-X3)",
            closer=s.closer + 1,
        )


def _check_no_end(s: State, world: State) -> None:
    world.stirred = Activity.NEW
    check_end(world)
    check_bag(world)
    if world.ending != Ending.NOT_YET:
        ending, rule = name_of(ENDINGS, world.ending), "MK-X3" if s.expert else "MK-E1"
        refuse("ending: by now the game is ending ({ending}): {rule}", ending=ending, rule=rule)


CHECKS: Final = (
    _check_closer,
    _check_explorers,
    _check_boats,
    _check_artefacts,
    _check_fronts,
    _check_cards,
    _mark_way,
)
DEALT_CHECKS: Final = (_check_stage, _check_end)
