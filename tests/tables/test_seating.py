"""Sitting down, options, bots, and beginning."""

from typing import Any

import pytest
from msgspec.structs import replace

from archipel.tables import commands
from archipel.tables.commands import Clock, NewTable, SeatWish
from archipel.tables.decisions.seating import join, open_table
from archipel.tables.log import events
from archipel.tables.log.fair_chance import seal_of
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Problem, Refusal
from tests.tables.people import Bare


def joined(bare: Bare, invited_to: int | None = None, **given: object) -> TableState:
    wanted = commands.Join(**{"name": "Zoe", **given})  # type: ignore[arg-type]
    bare.log += join(bare.table, wanted, invited_to)
    return bare.table


def refused(bare: Bare, invited_to: int | None = None, **given: object) -> str:
    with pytest.raises(Refusal) as refusal:
        joined(bare, invited_to, **given)
    return refusal.value.code


def opened(**given: object) -> list[events.Event]:
    new = NewTable(**{"game": "secret-cards", "seats": [SeatWish()] * 3, "my_name": "A", **given})  # type: ignore[arg-type]
    return open_table("t", new, Bare(2).context)


def gathering(*seats: SeatWish) -> Bare:
    bare = Bare(2)
    bare.log = opened(seats=[SeatWish(), *seats])
    return bare


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"seats": [SeatWish()]}, "bad_option"),
        ({"options": {"size": 1}}, "bad_option"),
        ({"options": {"colour": "blue"}}, "bad_option"),
        ({"seats": [SeatWish(), SeatWish("nobody")]}, "unknown_bot"),
        ({"my_seat": 3}, "bad_seat"),
        ({"seats": [SeatWish("random"), SeatWish()]}, "bad_seat"),
        ({"my_name": " \n"}, "bad_name"),
        ({"clock": Clock("live", 0)}, "bad_option"),
        ({"hot_seat": True, "names": ["Ana", "ana"]}, "name_taken"),
    ],
)
def test_impossible_tables_are_refused(given: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        opened(**given)
    assert refusal.value.code == code
    for language in ("en", "fr"):
        assert refusal.value.say(language).message


def test_the_maker_can_host_without_a_seat() -> None:
    assert [type(event) for event in opened(my_seat=None)] == [events.Created]


def test_people_get_the_first_open_seat_or_the_wanted_one() -> None:
    bare = gathering(SeatWish("random"), SeatWish(), SeatWish())
    assert joined(bare, name="Bo", seat=3).seats[3].name == "Bo"
    assert joined(bare, name="Cy").seats[2].name == "Cy"
    assert refused(bare) == "seat_taken"
    assert refused(bare, seat=1) == "seat_taken"
    assert refused(bare, seat=4) == "bad_seat"


def test_a_kept_seat_needs_its_invitation() -> None:
    bare = gathering(SeatWish(kept=True), SeatWish())
    assert refused(bare, seat=1) == "seat_kept"
    assert joined(bare, name="Bo").seats[2].name == "Bo"
    assert refused(bare) == "seat_kept"
    assert joined(bare, 1).seats[1].name == "Zoe"
    assert refused(bare, 1, name="Yan") == "seat_taken"


def test_names_are_cleaned_and_distinct() -> None:
    bare = gathering(SeatWish(), SeatWish())
    assert joined(bare, name="  Bo \t the\x00Brave ").seats[1].name == "Bo the Brave"
    assert refused(bare, name="bo the brave") == "name_taken"
    assert refused(bare, name="x" * 25) == "bad_name"


def test_everyone_has_a_distinct_colour() -> None:
    bare = gathering(SeatWish(), SeatWish())
    bare.log = opened(my_colour="sky")
    assert [seat.colour for seat in bare.table.seats] == ["sky", "yellow", "white"]
    assert joined(bare, name="Bo", colour="sky").seats[1].colour == "yellow"  # taken
    assert joined(bare, name="Cy", colour="black").seats[2].colour == "black"
    assert len({seat.colour for seat in bare.table.seats}) == 3


def test_the_host_fills_and_frees_seats() -> None:
    bare = Bare(3)
    assert bare.code(1, commands.SetSeat("r", 2, "random")) == "not_host"
    assert bare.code(0, commands.SetSeat("r", 7)) == "bad_seat"
    assert bare.code(0, commands.SetSeat("r", 1, "nobody")) == "unknown_bot"
    bare.do(0, commands.SetSeat("r", 1, "random"))
    assert (bare.table.seats[1].kind, bare.table.seats[1].bot) == ("bot", "random")
    bare.do(0, commands.SetSeat("r", 1))
    assert (bare.table.seats[1].kind, bare.table.seats[1].bot) == ("open", None)
    bare.do(2, commands.SetSeat("r", 2))  # one's own
    assert bare.table.seats[2].kind == "open"


def test_a_seat_freed_during_the_game_is_played_until_somebody_takes_it() -> None:
    bare = Bare(3)
    bare.do(0, commands.Begin("r"))
    assert bare.code(1, commands.SetSeat("r", 1)) == "not_host"  # leaving a game is resigning
    assert bare.code(0, commands.SetSeat("r", 1)) == "not_away"
    bare.context = replace(bare.context, now=200_000, away_since={1: 80_000})
    bare.do(0, commands.SetSeat("r", 1))
    seat = bare.table.seats[1]
    assert (seat.kind, seat.bot) == ("open", "greedy")
    seat = joined(bare, name="Zoe", colour="black").seats[1]
    assert (seat.kind, seat.bot) == ("open", "greedy"), "the others have to agree first"
    for person in (0, 2):
        bare.do(person, commands.AnswerProposal("r", bare.table.n, True))
    seat = bare.table.seats[1]
    assert (seat.kind, seat.bot, seat.name, seat.colour) == ("person", None, "Zoe", "yellow")


def test_options_can_change_until_the_game_begins() -> None:
    bare = Bare(2)
    assert bare.code(1, commands.SetOptions("r", {"colour": "green"})) == "not_host"
    assert bare.code(0, commands.SetOptions("r", {"colour": "blue"})) == "bad_option"
    bare.do(0, commands.SetOptions("r", {"colour": "green"}))
    assert bare.table.options["colour"] == "green"
    bare.do(0, commands.Begin("r"))
    assert bare.code(0, commands.SetOptions("r", {"colour": "red"})) == "not_gathering"


def test_the_clock_and_the_number_of_seats_can_change_until_the_game_begins() -> None:
    bare = gathering(SeatWish(), SeatWish("random"))
    assert bare.code(1, commands.SetOptions("r", clock=Clock("live", 60))) == "not_host"
    assert bare.code(0, commands.SetOptions("r", clock=Clock("live", 0))) == "bad_option"
    bare.do(0, commands.SetOptions("r", {"colour": "green"}, Clock("live", 60, 5), 4))
    table = bare.table
    assert (table.options["colour"], table.options.seats) == ("green", 4)
    assert [seat.kind for seat in table.seats] == ["person", "open", "bot", "open"]
    assert len({seat.colour for seat in table.seats}) == 4
    bare.do(0, commands.SetOptions("r", seats=2))
    assert [seat.kind for seat in bare.table.seats] == ["person", "open"]
    assert (bare.table.clock, bare.table.options["colour"]) == (Clock("live", 60, 5), "green")
    assert bare.code(0, commands.SetOptions("r", seats=9)) == "bad_option"
    joined(bare)
    bare.do(0, commands.SetOptions("r", seats=3))
    assert bare.code(0, commands.SetOptions("r", seats=1)) == "seats_needed"
    bare.do(0, commands.Begin("r"))
    assert bare.code(0, commands.SetOptions("r", clock=Clock())) == "not_gathering"
    assert [seat.time_left for seat in bare.table.seats] == [60_000] * 3


def test_a_given_position_fixes_options_and_seats() -> None:
    from_position = Bare(2)
    from_position.do(0, commands.Begin("r"))
    position = from_position.table.definition.position_text(from_position.table.state)
    bare = Bare(2, position=position)
    assert bare.code(0, commands.SetOptions("r", {"colour": "green"})) == "fixed_by_position"
    assert bare.code(0, commands.SetOptions("r", seats=3)) == "fixed_by_position"
    bare.do(0, commands.SetOptions("r", clock=Clock("live", 60), seats=2))
    assert bare.table.clock.seconds == 60


def test_somebody_who_arrives_late_can_ask_for_the_seat_of_a_bot() -> None:
    bare = Bare(2, 2)
    assert refused(bare) == "seat_taken"  # before the game the host decides
    bare.do(0, commands.Begin("r"))
    names = [seat.name for seat in bare.table.seats]
    assert refused(bare, name=names[3]) == "name_taken"  # of a bot in another seat
    assert refused(bare, seat=1) == "seat_taken"
    seat = joined(bare, seat=3).seats[3]
    assert (seat.kind, seat.bot) == ("bot", "random"), "the others have to agree first"
    assert refused(bare, name="Yan") == "proposal_pending"
    bare.do(0, commands.AnswerProposal("r", bare.table.n, False))
    assert joined(bare).proposal is not None
    for person in (0, 1):
        assert bare.table.seats[2].kind == "bot"
        bare.do(person, commands.AnswerProposal("r", bare.table.n, True))
    seat = bare.table.seats[2]
    assert (seat.kind, seat.bot, seat.name) == ("person", None, "Zoe")


@pytest.mark.parametrize("given", [{"public": True}, {"hot_seat": True}])
def test_bots_at_public_tables_and_on_one_device_keep_their_seats(given: dict[str, Any]) -> None:
    bare = Bare(2, 1, **given)
    bare.do(0, commands.Begin("r"))
    assert refused(bare) == "seat_taken"
    if "public" in given:
        assert joined(bare, 2).proposal is not None  # with its invitation
    else:
        assert refused(bare, 2) == "seat_taken"


def test_beginning_fills_open_seats_with_bots_and_uses_all_nonces() -> None:
    bare = gathering(SeatWish(), SeatWish(kept=True))
    assert bare.code(1, commands.Begin("r")) == "not_host"
    bare.do(0, commands.SealNonce("r", seal_of("mine")))
    assert bare.code(0, commands.SealNonce("r", "no!")) == "bad_seal"
    assert bare.code(5, commands.Play("r", 1, 0)) == "not_playing"
    plain = gathering(SeatWish(), SeatWish(kept=True))
    bare.do(0, commands.Begin("r"))
    bare.do(0, commands.OpenNonce("r", "mine"))
    plain.do(0, commands.Begin("r"))
    assert [seat.bot for seat in bare.table.seats] == [None, "greedy", "greedy"]
    assert bare.table.nonces == ("mine", "", "")
    assert bare.table.state.card != plain.table.state.card
    assert bare.code(0, commands.Begin("r")) == "not_gathering"


def test_the_deal_depends_on_the_secret() -> None:
    one, other = Bare(2), Bare(2)
    other.context = replace(other.context, secret=bytes(32))
    one.do(0, commands.Begin("r"))
    other.do(0, commands.Begin("r"))
    assert one.table.state.card != other.table.state.card
    assert one.table.next_draw == 2


def test_a_hot_seat_token_plays_all_seats_of_people() -> None:
    bare = Bare(3, 1, hot_seat=True, names=["Ana", "Bo"])
    assert [seat.name for seat in bare.table.seats] == ["Ana", "Bo", "3", "Colette"]
    bare.do(0, commands.Begin("r"))
    for seat in (0, 1, 2):
        assert not isinstance(bare.do(0, commands.Play("r", bare.table.n, 1), seat), Problem)
    assert bare.code(0, commands.Play("r", bare.table.n, 1), 3) == "not_yours"
