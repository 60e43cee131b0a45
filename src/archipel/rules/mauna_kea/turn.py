"""A player's turn (chapter The turn): what may be done, and what follows."""

from __future__ import annotations

from archipel.rules.kit import Chance, rule
from archipel.rules.mauna_kea.artefacts import (
    COLOURS,
    carrier,
    colours_at,
    colours_to_put,
    colours_to_take,
    leave_any,
    move_artefact,
    put_down,
    take,
)
from archipel.rules.mauna_kea.cards import (
    can_play,
    finish_card,
    legal_card_explorers,
    legal_quake_spaces,
    legal_quake_turns,
    legal_rejections,
    move_by_card,
    name_for_card,
    place_drawn_terrain,
    play_card,
    reject,
    turn_tile,
)
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    BOARDING_COST,
    DRAW_UNTIL,
    MOST_EXPLORERS,
    MOST_TILES,
    NO_TILE,
)
from archipel.rules.mauna_kea.end import check_bag, check_end, clock_has_run_out, end_game
from archipel.rules.mauna_kea.geometry import DIRECTIONS
from archipel.rules.mauna_kea.lava import erupt, is_lava
from archipel.rules.mauna_kea.moving import (
    board,
    can_board,
    can_choose_what_to_leave,
    can_do_something,
    can_step,
    must_leave_some,
    step,
)
from archipel.rules.mauna_kea.reach import legal_cells
from archipel.rules.mauna_kea.setup import (
    deal_tiles,
    last_to_place,
    legal_placings,
    pass_cards_on,
    place_explorer,
)
from archipel.rules.mauna_kea.state import (
    BOARD,
    CARD,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    DONE,
    DRAW,
    DRAW_NOW,
    END_PLAY,
    END_TURN,
    EXPLORER,
    JUST_STIRRED,
    LEAVE,
    NAME,
    NO_CARD,
    NOBODY,
    NOT_YET,
    PLACE,
    PLAY,
    PUT,
    QUAKE_DRAW,
    QUAKE_SKIP_TO_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SPACE,
    SPEND,
    STEP,
    STILL,
    STOP,
    TAKE,
    TILE,
    TURN,
    State,
    clockwise,
)
from archipel.rules.mauna_kea.tiles import (
    draw_from_bag,
    has_empty_space,
    is_first_of_its_kind,
    lay_held_tile,
    legal_spaces,
    legal_turns,
    needs_turning,
    points_in_front,
    put_in_front,
    put_lava_back,
    set_aside,
    spend_tile,
    take_from_front,
    tiles_in_bag,
)

# ---- what may be done ---------------------------------------------------------------------------


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order; how many there are."""
    if s.phase == PLAY or s.phase == EXPLORER or s.phase == REFILL:
        return legal_in_turn(s, actions)
    if s.phase == SPACE:
        return legal_spaces(s, actions)
    if s.phase == TURN:
        return legal_turns(s, actions)
    if s.phase == LEAVE:
        return legal_colours(s, actions)
    if s.phase == PLACE:
        return legal_placings(s, actions)
    return legal_with_cards(s, actions)


@rule
def legal_with_cards(s: State, actions: list[int]) -> int:
    if s.phase == CHOOSE:
        return legal_rejections(s, actions)
    if s.phase == CARD_EXPLORER:
        return legal_card_explorers(s, actions)
    if s.phase == CARD_CELL:
        return legal_cells(s, actions)
    if s.phase == QUAKE_SPACE:
        return legal_quake_spaces(s, actions)
    if s.phase == QUAKE_TURN:
        return legal_quake_turns(s, actions)
    if s.phase == QUAKE_DRAW:
        actions[0] = STOP
        actions[1] = DRAW_NOW
        return 2
    return 0


@rule
def legal_in_turn(s: State, actions: list[int]) -> int:
    """MK-T1: tiles, explorers and cards in any order; between draws no tiles (MK-X4, MK-A3)."""
    count = 0
    if s.phase == PLAY:
        count = legal_tiles(s, actions)
    if s.phase != EXPLORER:
        for explorer in range(MOST_EXPLORERS):
            if explorer != s.active and can_do_something(s, s.to_move, explorer):
                actions[count] = NAME + explorer
                count += 1
    if s.active != NOBODY:
        count = legal_for_explorer(s, actions, count)
    if s.expert != 0 and s.phase != EXPLORER:
        for card in range(ACTION_KINDS):
            if can_play(s, s.to_move, card):
                actions[count] = CARD + card
                count += 1
    if s.phase == REFILL:
        actions[count] = DRAW if must_draw(s) else END_TURN
        count += 1
    return count


@rule
def legal_tiles(s: State, actions: list[int]) -> int:
    """MK-T1: lay a tile or spend it, alike ones once (MK-C5); MK-T5: end the play at any time."""
    seat = s.to_move
    actions[0] = END_PLAY
    count = 1
    if s.front[seat][0] == NO_TILE:
        return count
    if has_empty_space(s):
        for place in range(MOST_TILES):
            if is_first_of_its_kind(s, seat, place):
                actions[count] = TILE + place
                count += 1
    for place in range(MOST_TILES):
        if is_first_of_its_kind(s, seat, place):
            actions[count] = SPEND + place
            count += 1
    return count


@rule
def legal_for_explorer(s: State, actions: list[int], count: int) -> int:
    """MK-M1, MK-A1, MK-B1: what the explorer named last may do."""
    seat = s.to_move
    for direction in range(DIRECTIONS):
        if can_step(s, seat, s.active, direction):
            actions[count] = STEP + direction
            count += 1
    taking = colours_to_take(s, seat, s.active)
    putting = colours_to_put(s, seat, s.active)
    for colour in range(COLOURS):
        if taking >> colour & 1 != 0:
            actions[count] = TAKE + colour
            count += 1
    for colour in range(COLOURS):
        if putting >> colour & 1 != 0:
            actions[count] = PUT + colour
            count += 1
    if can_board(s, seat, s.active):
        actions[count] = BOARD
        count += 1
    return count


@rule
def legal_colours(s: State, actions: list[int]) -> int:
    """MK-B1: any colour that the explorer carries may stay behind."""
    colours = colours_at(s, carrier(s.to_move, s.active))
    count = 0
    for colour in range(COLOURS):
        if colours >> colour & 1 != 0:
            actions[count] = colour
            count += 1
    return count


@rule
def must_draw(s: State) -> bool:
    """MK-T4: until 5 points or more lie in front, or the bag is empty."""
    return points_in_front(s, s.to_move) < DRAW_UNTIL and tiles_in_bag(s) > 0


# ---- what follows -------------------------------------------------------------------------------


@rule
def apply(s: State, action: int, chance: Chance) -> None:
    """Play a legal action and go on to the next decision."""
    # A plain number even if it came with its notation: it is put into fields as it is.
    drawing = respond(s, int(action), chance)
    settled = False
    while not settled:
        if drawing:
            draw_tile(s, chance)
        check_end(s)
        # MK-T4: only the refill of the base game goes on by itself; MK-E2: until the end begins.
        settled = s.phase != REFILL or s.expert != 0 or s.ending != NOT_YET or not must_draw(s)
    if s.phase == REFILL:
        end_refill(s)
    if s.phase == DONE:
        end_turn(s)


@rule
def respond(s: State, action: int, chance: Chance) -> bool:
    """What the action does by itself; whether a tile is to be drawn for it."""
    if s.phase == PLAY or s.phase == EXPLORER or s.phase == REFILL:
        return respond_in_turn(s, action)
    if s.phase == SPACE:
        s.chosen = action
        if needs_turning(s):
            s.phase = TURN
        else:
            lay(s, 0)
    elif s.phase == TURN:
        lay(s, action)
    elif s.phase == LEAVE:
        leave_behind(s, action)
    elif s.phase == PLACE:
        if place_explorer(s, action):
            deal_tiles(s, chance)
            start_turn(s, last_to_place(s))
    else:
        return respond_with_cards(s, action)
    return False


@rule
def respond_with_cards(s: State, action: int) -> bool:
    if s.phase == CHOOSE:
        if reject(s, s.to_move, action):
            pass_cards_on(s)
    elif s.phase == CARD_EXPLORER:
        name_for_card(s, action)
    elif s.phase == CARD_CELL:
        move_by_card(s, action)
    elif s.phase == QUAKE_TURN:
        turn_tile(s, action)
    elif s.phase == QUAKE_SPACE:
        if action == QUAKE_SKIP_TO_DRAW:
            return True
        s.chosen = action
        s.phase = QUAKE_TURN
    elif action == DRAW_NOW:
        return True
    else:
        finish_card(s)
    return False


@rule
def respond_in_turn(s: State, action: int) -> bool:
    if action == END_PLAY:
        return end_play(s)
    if action == DRAW:
        return True
    if action == END_TURN:
        s.phase = DONE
    elif action < SPEND:
        s.held = take_from_front(s, s.to_move, action - TILE)
        s.phase = SPACE
    elif action < NAME:
        s.pool += spend_tile(s, s.to_move, action - SPEND)
    elif action < STEP:
        s.active = action - NAME
        s.resume = s.phase
        s.phase = EXPLORER
    elif action >= CARD:
        play_card(s, action - CARD)
    else:
        act(s, s.active, action)
    return False


@rule
def act(s: State, explorer: int, action: int) -> None:
    """The explorer named last steps, takes, puts down or boards."""
    seat = s.to_move
    if s.phase == EXPLORER:
        s.phase = s.resume
        s.resume = PLAY
    if action < TAKE:
        step(s, seat, explorer, action - STEP)
    elif action < PUT:
        take(s, seat, explorer, action - TAKE)
    elif action < BOARD:
        put_down(s, seat, explorer, action - PUT)
    else:
        s.pool -= BOARDING_COST
        s.phase = LEAVE
        go_on_board(s)


@rule
def leave_behind(s: State, colour: int) -> None:
    """MK-B1: one artefact stays on the cell that is left."""
    explorer = s.active
    move_artefact(s, colour, carrier(s.to_move, explorer), s.explorer[s.to_move][explorer])
    go_on_board(s)


@rule
def go_on_board(s: State) -> None:
    """MK-B1: what does not fit stays behind; where there is a choice, its owner is asked."""
    seat = s.to_move
    explorer = s.active
    while must_leave_some(s, seat, explorer):
        if can_choose_what_to_leave(s, seat, explorer):
            return
        leave_any(s, seat, explorer)
    board(s, seat, explorer)
    s.phase = PLAY


@rule
def lay(s: State, turn: int) -> None:
    """MK-T2, and MK-X7 for the tile drawn by an earthquake."""
    lay_held_tile(s, turn)
    if s.card != NO_CARD:
        finish_card(s)
    else:
        s.phase = PLAY


# ---- the end of the play, the refill, the next turn ---------------------------------------------


@rule
def start_turn(s: State, seat: int) -> None:
    s.to_move = seat
    s.phase = PLAY
    s.resume = PLAY
    s.active = NOBODY
    s.stirred = STILL
    for explorer in range(MOST_EXPLORERS):
        s.handled[explorer] = 0


@rule
def end_play(s: State) -> bool:
    """MK-T5: tiles and points left are lost; then the refill (MK-T4), an action a draw in the
    expert game (MK-X4). After the end began nobody refills (MK-E2, MK-X3)."""
    while s.front[s.to_move][0] != NO_TILE:
        spend_tile(s, s.to_move, 0)
    s.pool = 0
    s.phase = REFILL if s.ending == NOT_YET else DONE
    return s.phase == REFILL and s.expert == 0 and must_draw(s)


@rule
def draw_tile(s: State, chance: Chance) -> None:
    """MK-T4: terrain is put in front, lava flows at once; MK-L7: not in a quiet first round;
    MK-X7: an earthquake's tile is placed."""
    kind = draw_from_bag(s, chance)
    if is_lava(kind):
        s.stirred = JUST_STIRRED
        if s.phase == REFILL and s.quiet_first_round != 0 and s.turn_number < s.seats:
            set_aside(s, kind)
        else:
            erupt(s, kind)
        if s.phase != REFILL:
            finish_card(s)
    elif s.phase == REFILL:
        put_in_front(s, s.to_move, kind)
    else:
        place_drawn_terrain(s, kind)
    check_bag(s)


@rule
def end_refill(s: State) -> None:
    """MK-E2, MK-X3: where the end begins in a refill, what was drawn may be used at once."""
    if s.ending != NOT_YET:
        put_lava_back(s)
        s.phase = PLAY
    elif s.expert == 0:
        s.phase = DONE


@rule
def end_turn(s: State) -> None:
    """MK-S4: clockwise; MK-E2: after the end began, one turn each of the others; MK-E3."""
    put_lava_back(s)
    s.turn_number += 1
    s.quiet_turns = s.quiet_turns + 1 if s.stirred == STILL else 0
    seat = clockwise(s, s.to_move)
    if s.ending != NOT_YET:
        over = s.expert != 0 or seat == s.closer
    else:
        over = clock_has_run_out(s)
    if over:
        end_game(s)
    else:
        start_turn(s, seat)
