"""greedy-2: frozen choices, sensible play, and it uses all cards."""

from __future__ import annotations

from archipel.bots.mauna_kea.roster import GREEDY_2, choose
from archipel.rules.kit import Stream, stream_key
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from tests.bots.mauna_kea.choices import check_contract, choice, hash_of_choices
from tests.rules.mauna_kea.tables import expert, play, table

# Hash of its choices in some hundreds of fixed positions.
CHOICES = "6b1402017085921b457b"

# Games, of numbers 0 to 99, that have the rare kinds of action.
GAMES_WITH_ALL_KINDS = (31, 34, 63, 65)
KINDS = {
    *("reject", "at", "tile", "turn", "spend", "end play", "explorer", "board", "take", "put"),
    *("north", "east", "south", "west", "leave", "draw", "end turn"),
    *("card jungle", "card lake", "card mountain", "card earthquake", "card helicopter"),
    *("card-explorer explorer", "card-cell to"),
    *("quake-space at", "quake-space draw", "quake-turn turn", "quake-draw draw"),
    "quake-draw stop",
}


def test_frozen() -> None:
    """If this fails, restore greedy-2 and call the new bot greedy-3."""
    assert hash_of_choices(GREEDY_2, 8) == CHOICES


def test_contract() -> None:
    check_contract(GREEDY_2, 8)


def kinds_in_game(number: int) -> set[str]:
    """The kinds of action that greedy-2 uses in a game against itself."""
    layout = ("orthogonal", "diagonal")[number // 2 % 2]
    options = MAUNA_KEA.make_options(2 + number % 3, expert=number % 2 == 1, layout=layout)
    chance = Stream(stream_key(7, number))
    s = MAUNA_KEA.new(options, chance)
    found = set()
    while (seat := MAUNA_KEA.to_move(s)) >= 0:
        legal = MAUNA_KEA.legal_actions(s)
        action = choose(MAUNA_KEA.seen(s, seat), GREEDY_2, legal, len(legal), Stream())
        found.add(kind_of(MAUNA_KEA.position_text(s), MAUNA_KEA.action_text(s, action)))
        MAUNA_KEA.apply(s, action, chance)
    return found


def kind_of(position: str, action: str) -> str:
    phase = dict(word.split("=", 1) for word in position.split())["phase"]
    if action.startswith(("card ", "end ")):
        return action
    word = action.split()[0]
    return f"{phase} {word}" if phase.startswith(("card-", "quake-")) else word


def test_uses_every_kind_of_action_within_a_hundred_games() -> None:
    assert max(GAMES_WITH_ALL_KINDS) < 100
    assert set().union(*map(kinds_in_game, GAMES_WITH_ALL_KINDS)) == KINDS


BESIDE = {"board": "b1:jjjj3,b2:jjjj3", "explorers1": "b2nw,e4nw", "white": "1.1,1.1"}


def test_follows_plans_like_greedy_1() -> None:
    game = table(**BESIDE, pool=3)
    assert choice(GREEDY_2, game) == "explorer 1"
    assert choice(GREEDY_2, play(game, "explorer 1")) == "north"


def test_exchanges_a_cheap_artefact_for_a_precious_one_at_full_load() -> None:
    words = {"explorers1": "e4nw,d5nw", "white": "1.1,1.1,1.1", "grey": "e4nw", "active": 1}
    game = table(**words)
    assert choice(GREEDY_2, game) == "put white"
    play(game, "put white")
    assert choice(GREEDY_2, game) == "take grey"
    play(game, "take grey")
    assert choice(GREEDY_2, game) == "end play"


def test_keeps_an_equal_artefact() -> None:
    words = {"explorers1": "e4nw,d5nw", "grey": "1.1,1.1,1.1,e4nw", "active": 1}
    assert not choice(GREEDY_2, table(**words)).startswith("put")


def test_rejects_objectives_before_cards_that_move() -> None:
    cards = "jungle,lake,mountain,helicopter,4white,1white-1grey"
    game = expert(phase="choose", explorers1="-", explorers2="-", cards1=cards)
    assert choice(GREEDY_2, game) in ("reject 4white", "reject 1white-1grey")
