"""A player's turn (chapter The turn): legal actions and their effects."""

from __future__ import annotations

from archipel.rules.kit import Chance, rule
from archipel.rules.mauna_kea import artefacts, cards, moving, setup, tiles
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.components import MOST_EXPLORERS, Tile
from archipel.rules.mauna_kea.end import check_bag, check_end, clock_has_run_out, end_game
from archipel.rules.mauna_kea.grid import DIRECTIONS, NOWHERE
from archipel.rules.mauna_kea.lava import erupt, is_lava
from archipel.rules.mauna_kea.reach import legal_cells
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    Action,
    Activity,
    Ending,
    Phase,
    QuakeAction,
    State,
    clockwise,
)

# ---- legal actions ------------------------------------------------------------------------------


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order and return how many there are."""
    match s.phase:
        case Phase.PLAY | Phase.EXPLORER | Phase.REFILL:
            return legal_in_turn(s, actions)
        case Phase.SPACE:
            return tiles.legal_spaces(s, actions)
        case Phase.TURN:
            return tiles.legal_turns(s, actions)
        case Phase.LEAVE:
            return legal_colours(s, actions)
        case Phase.PLACE:
            return setup.legal_placings(s, actions)
        case Phase.CHOOSE:
            return cards.legal_rejections(s, actions)
        case Phase.CARD_EXPLORER:
            return cards.legal_card_explorers(s, actions)
        case Phase.CARD_CELL:
            return legal_cells(s, actions)
        case Phase.QUAKE_SPACE:
            return cards.legal_quake_spaces(s, actions)
        case Phase.QUAKE_TURN:
            return cards.legal_quake_turns(s, actions)
        case Phase.QUAKE_DRAW:
            actions[0] = QuakeAction.STOP
            actions[1] = QuakeAction.DRAW
            return 2
        case _:
            return 0


@rule
def legal_in_turn(s: State, actions: list[int]) -> int:
    """MK-T1: tiles, explorers and cards in any order; between draws no tiles (MK-X4, MK-A3)."""
    count = 0
    if s.phase == Phase.PLAY:
        count = legal_tiles(s, actions)
    if s.phase != Phase.EXPLORER:
        for explorer in range(MOST_EXPLORERS):
            if explorer != s.active and moving.can_do_something(s, s.to_move, explorer):
                actions[count] = Action.NAME + explorer
                count += 1
    if s.active != NOBODY:
        count = legal_for_explorer(s, actions, count)
    if s.expert != 0 and s.phase != Phase.EXPLORER:
        for card in range(box.ACTION_KINDS):
            if cards.can_play(s, s.to_move, card):
                actions[count] = Action.CARD + card
                count += 1
    if s.phase == Phase.REFILL:
        actions[count] = Action.DRAW if must_draw(s) else Action.END_TURN
        count += 1
    return count


@rule
def legal_tiles(s: State, actions: list[int]) -> int:
    """MK-T1: lay or spend a tile, equal ones once (MK-C5); MK-T5: end the play at any time."""
    seat = s.to_move
    actions[0] = Action.END_PLAY
    count = 1
    if s.front[seat][0] == Tile.NONE:
        return count
    if tiles.has_empty_space(s):
        for place in range(box.MOST_TILES):
            if tiles.is_first_of_its_kind(s, seat, place):
                actions[count] = Action.TILE + place
                count += 1
    for place in range(box.MOST_TILES):
        if tiles.is_first_of_its_kind(s, seat, place):
            actions[count] = Action.SPEND + place
            count += 1
    return count


@rule
def legal_for_explorer(s: State, actions: list[int], count: int) -> int:
    """MK-M1, MK-A1, MK-B1: the actions of the active explorer."""
    seat = s.to_move
    for direction in range(DIRECTIONS):
        if moving.can_step(s, seat, s.active, direction):
            actions[count] = Action.STEP + direction
            count += 1
    taking = artefacts.colours_to_take(s, seat, s.active)
    putting = artefacts.colours_to_put(s, seat, s.active)
    for colour in range(artefacts.COLOURS):
        if taking >> colour & 1 != 0:
            actions[count] = Action.TAKE + colour
            count += 1
    for colour in range(artefacts.COLOURS):
        if putting >> colour & 1 != 0:
            actions[count] = Action.PUT + colour
            count += 1
    if moving.can_board(s, seat, s.active):
        actions[count] = Action.BOARD
        count += 1
    return count


@rule
def legal_colours(s: State, actions: list[int]) -> int:
    """MK-B1: any colour that the explorer carries may stay behind."""
    colours = artefacts.colours_at(s, artefacts.carrier(s.to_move, s.active))
    count = 0
    for colour in range(artefacts.COLOURS):
        if colours >> colour & 1 != 0:
            actions[count] = colour
            count += 1
    return count


@rule
def must_draw(s: State) -> bool:
    """MK-T4: until 5 points lie in front or the bag is empty."""
    return tiles.points_in_front(s, s.to_move) < box.DRAW_UNTIL and tiles.tiles_in_bag(s) > 0


# ---- effects ------------------------------------------------------------------------------------


@rule
def apply(s: State, action: int, chance: Chance) -> None:
    """Play a legal action and go on to the next decision."""
    # A plain int: `Game` passes actions that carry their notation, and fields store them.
    drawing = respond(s, int(action), chance)
    settled = False
    while not settled:
        if drawing:
            draw_tile(s, chance)
        check_end(s)
        # MK-T4: only the refill of the base game goes on by itself.
        by_itself = s.phase == Phase.REFILL and s.expert == 0 and may_refill(s)
        settled = not (by_itself and must_draw(s))
    if s.phase == Phase.REFILL:
        end_refill(s)
    if s.phase == Phase.DONE:
        end_turn(s)


@rule
def respond(s: State, action: int, chance: Chance) -> bool:
    """Apply the action itself and return whether it also draws a tile."""
    match s.phase:
        case Phase.PLAY | Phase.EXPLORER | Phase.REFILL:
            return respond_in_turn(s, action)
        case Phase.SPACE:
            s.chosen = action
            if box.ORIENTATIONS[s.held] > 1:  # MK-C5
                s.phase = Phase.TURN
            else:
                lay(s, 0)
        case Phase.TURN:
            lay(s, action)
        case Phase.LEAVE:  # MK-B1: leave one artefact on the cell
            carried = artefacts.carrier(s.to_move, s.active)
            artefacts.move_artefact(s, action, carried, s.explorer[s.to_move][s.active])
            go_on_board(s)
        case Phase.PLACE:
            if setup.place_explorer(s, action):
                setup.deal_tiles(s, chance)
                start_turn(s, clockwise(s, s.first))  # MK-S4
        case Phase.CHOOSE:
            if cards.reject(s, s.to_move, action):
                setup.pass_cards_on(s)
        case Phase.CARD_EXPLORER:
            cards.name_for_card(s, action)
        case Phase.CARD_CELL:
            cards.move_by_card(s, action)
        case Phase.QUAKE_TURN:
            cards.turn_tile(s, action)
        case Phase.QUAKE_SPACE:
            if action == QuakeAction.SKIP_TO_DRAW:
                return True
            s.chosen = action
            s.phase = Phase.QUAKE_TURN
        case Phase.QUAKE_DRAW:
            if action == QuakeAction.DRAW:
                return True
            cards.finish_card(s)
    return False


@rule
def respond_in_turn(s: State, action: int) -> bool:
    match action:
        case Action.END_PLAY:
            return end_play(s)
        case Action.DRAW:
            return True
        case Action.END_TURN:
            s.phase = Phase.DONE
        case _ if action < Action.SPEND:
            s.held = tiles.take_from_front(s, s.to_move, action - Action.TILE)
            s.phase = Phase.SPACE
        case _ if action < Action.NAME:
            s.pool += tiles.spend_tile(s, s.to_move, action - Action.SPEND)
        case _ if action < Action.STEP:
            s.active = action - Action.NAME
            s.resume = s.phase
            s.phase = Phase.EXPLORER
        case _ if action < Action.CARD:
            act(s, s.active, action)
        case _:
            cards.play_card(s, action - Action.CARD)
    return False


@rule
def act(s: State, explorer: int, action: int) -> None:
    """The active explorer steps, takes, puts down or boards."""
    seat = s.to_move
    if s.phase == Phase.EXPLORER:
        s.phase = s.resume
        s.resume = Phase.PLAY
    if action < Action.TAKE:
        moving.step(s, seat, explorer, action - Action.STEP)
    elif action < Action.PUT:
        artefacts.take(s, seat, explorer, action - Action.TAKE)
    elif action < Action.BOARD:
        artefacts.put_down(s, seat, explorer, action - Action.PUT)
    else:
        s.pool -= box.BOARDING_COST
        s.phase = Phase.LEAVE
        go_on_board(s)


@rule
def go_on_board(s: State) -> None:
    """MK-B1: artefacts that do not fit stay behind; the owner chooses where they differ."""
    seat = s.to_move
    explorer = s.active
    while moving.must_leave_some(s, seat, explorer):
        if moving.can_choose_what_to_leave(s, seat, explorer):
            return
        artefacts.leave_any(s, seat, explorer)
    moving.board(s, seat, explorer)
    s.phase = Phase.PLAY


@rule
def lay(s: State, turn: int) -> None:
    """MK-T2: lay the held tile; MK-X7: also the tile drawn by an earthquake."""
    s.tile[s.chosen] = s.held
    s.turn[s.chosen] = turn
    s.held = Tile.NONE
    s.chosen = NOWHERE
    s.stirred = Activity.NEW
    if s.card != NO_CARD:
        cards.finish_card(s)
    else:
        s.phase = Phase.PLAY


# ---- the end of the play, the refill, the next turn ---------------------------------------------


@rule
def start_turn(s: State, seat: int) -> None:
    s.to_move = seat
    s.phase = Phase.PLAY
    s.resume = Phase.PLAY
    s.active = NOBODY
    s.stirred = Activity.NONE
    for explorer in range(MOST_EXPLORERS):
        s.handled[explorer] = 0


@rule
def end_play(s: State) -> bool:
    """MK-T5: tiles and points left are lost; then the refill (MK-T4), one action per draw in the
    expert game (MK-X4). Return whether to draw."""
    while s.front[s.to_move][0] != Tile.NONE:
        tiles.spend_tile(s, s.to_move, 0)
    s.pool = 0
    s.phase = Phase.REFILL if may_refill(s) else Phase.DONE
    return s.phase == Phase.REFILL and s.expert == 0 and must_draw(s)


@rule
def may_refill(s: State) -> bool:
    """MK-E2, MK-X3: not once the end has begun; MK-E4: by option, the others in their last turn."""
    if s.ending == Ending.NOT_YET:
        return True
    return s.last_refill != 0 and s.expert == 0 and s.to_move != s.closer


@rule
def draw_tile(s: State, chance: Chance) -> None:
    """MK-T4: terrain is put in front, lava flows at once; MK-L7: not in a quiet first round; MK-X7:
    the tile of an earthquake is laid."""
    kind = tiles.draw_of(s, tiles.tiles_in_bag(s), chance)
    if is_lava(kind):
        s.stirred = Activity.NEW
        if s.phase == Phase.REFILL and s.quiet_first_round != 0 and s.turn_number < s.seats:
            s.aside[kind - Tile.FIRST_LAVA] += 1
        else:
            erupt(s, kind)
        if s.phase != Phase.REFILL:
            cards.finish_card(s)
    elif s.phase == Phase.REFILL:
        tiles.put_in_front(s, s.to_move, kind)
    else:
        cards.place_drawn_terrain(s, kind)
    check_bag(s)


@rule
def end_refill(s: State) -> None:
    """MK-E2, MK-X3: if the end begins in a refill, the tiles drawn may be used at once."""
    if not may_refill(s):
        tiles.put_lava_back(s)
        s.phase = Phase.PLAY
    elif s.expert == 0:
        s.phase = Phase.DONE


@rule
def end_turn(s: State) -> None:
    """MK-S4: clockwise; MK-E2: once the end has begun, one turn for each other seat; MK-E3: the
    clock."""
    tiles.put_lava_back(s)
    s.turn_number += 1
    s.quiet_turns = s.quiet_turns + 1 if s.stirred == Activity.NONE else 0
    seat = clockwise(s, s.to_move)
    if s.ending != Ending.NOT_YET:
        over = s.expert != 0 or seat == s.closer
    else:
        over = clock_has_run_out(s)
    if over:
        end_game(s)
    else:
        start_turn(s, seat)
