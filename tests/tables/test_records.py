"""Records of games, and the verification of their chance."""

import asyncio
import re
from pathlib import Path

import pytest

from archipel.game import Game
from archipel.record import Record, RecordError, load_record, parse_record
from archipel.tables import commands
from archipel.tables.log.fair_chance import seal_of
from archipel.tables.log.records import verify
from tests.tables.people import Friends, make_service, refusal


def recorded(game: str = "deep-sea", **given: object) -> str:
    async def scenario() -> str:
        service = make_service()
        friends = await Friends.gather(service, 2, 1, game=game, begin=False, **given)
        await friends.ask(1, commands.SealNonce("r", seal_of("rabbit")))
        service.arrived(friends.who[1])
        await friends.ask(0, commands.Begin("r"))
        await friends.ask(1, commands.OpenNonce("r", "rabbit"))
        assert (await refusal(service.record(friends.table))).code == "not_over"
        await friends.finish()
        return await service.record(friends.table)

    return asyncio.run(scenario())


@pytest.fixture(scope="module")
def text() -> str:
    return recorded()


def test_a_record_reads_back_and_is_fair(text: str, tmp_path: Path) -> None:
    record = parse_record(text)
    assert str(record) == text
    assert "nonce 2: rabbit" in text
    assert f"seal 2: {seal_of('rabbit')}" in text
    assert record.game.is_over
    verdict = verify(record)
    assert verdict.is_fair, verdict
    assert verdict.outcomes > 10
    assert "all" in str(verdict)
    path = tmp_path / "game.txt"
    record.save(path)
    assert verify(load_record(path)) == verdict


@pytest.mark.parametrize("options", [{"first": 2}, {"drop_order": "chosen"}])
def test_records_with_options_are_verified(options: dict[str, object]) -> None:
    assert verify(parse_record(recorded(options=options))).is_fair


def test_a_single_changed_die_is_found(text: str) -> None:
    """Changes each die in turn: the rules or the secret reveal it."""
    found = 0
    for match in re.finditer(r"\[([123]) ([123])\]", text):
        other = str(int(match[1]) % 3 + 1)
        changed = text[: match.start(1)] + other + text[match.end(1) :]
        try:
            record = parse_record(changed)
        except RecordError:
            continue
        assert "the secret gives" in str(verify(record))
        found += 1
    assert found


def test_a_changed_die_is_found_in_a_game_that_stays_legal() -> None:
    text = recorded("secret-cards")
    changed = re.sub(r"throw \[(\d)\]", lambda m: f"throw [{int(m[1]) % 6 + 1}]", text, count=1)
    verdict = verify(parse_record(with_right_end(changed)))
    assert len(verdict.faults) == 1
    assert re.match(r"Move \d+ \(\d throw \[\d\]\): the secret gives \[\d\]\.", verdict.faults[0])


@pytest.mark.parametrize(
    ("pattern", "put", "fault"),
    [
        (r"nonce 2: rabbit", "nonce 2: hare", "The deal is not"),
        (r"commitment: \w", "commitment: ", "The secret is not the one committed to"),
        (r"@33", "@34", "begins with draw 34, the next one is 33"),
        (r" @33", "", "does not say which draws"),
    ],
)
def test_other_tampering_is_found(text: str, pattern: str, put: str, fault: str) -> None:
    if put == "commitment: ":
        found = re.search(r"commitment: (\w)", text)
        assert found is not None
        put += "0" if found[1] != "0" else "1"
    changed = re.sub(pattern, put, text, count=1)
    assert changed != text
    assert fault in str(verify(parse_record(changed)))


def test_a_changed_deal_is_found(text: str) -> None:
    chips = dict(re.findall(r"(d\d):(\d+)", text))
    one, other = next((a, b) for a in chips for b in chips if chips[a] != chips[b])
    swapped = text.replace(f"{one}:{chips[one]}", f"{one}:{chips[other]}")
    swapped = swapped.replace(f"{other}:{chips[other]}", f"{other}:{chips[one]}")
    assert "The deal is not" in str(verify(parse_record(with_right_end(swapped))))


def with_right_end(text: str) -> str:
    """Adapt the scores to the changed values, as a careful forger would."""
    unfinished = re.sub(r"end: .*", "end: unfinished", text)
    with pytest.raises(RecordError, match="the rules give") as error:
        parse_record(unfinished)
    scores = str(error.value).split("'")[-2]
    return unfinished.replace("end: unfinished", f"end: {scores}")


def test_records_without_chance_still_read_and_cannot_be_checked() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    game.play("dive")
    record = Record(game, ("Ana", "Bo"))
    assert "@" not in str(record)
    assert "secret" not in str(record)
    again = parse_record(str(record))
    assert again.fairness is None
    assert not verify(again).is_fair


@pytest.mark.parametrize(
    ("pattern", "put"),
    [
        (r"secret: \w+", "secret: 12"),
        (r"secret: .*\n", ""),
        (r"nonce 3: \n", ""),
        (r"nonce 2: rabbit", "nonce 2: a b"),
        (r"@33", "@x"),
    ],
)
def test_malformed_lines_are_refused(text: str, pattern: str, put: str) -> None:
    with pytest.raises(RecordError, match="line "):
        parse_record(re.sub(pattern, put, text, count=1))


def test_resigning_and_closing_leave_a_record_that_can_be_checked() -> None:
    async def scenario() -> tuple[str, str]:
        service = make_service()
        friends = await Friends.gather(service, 2, game="deep-sea")
        mover = (await friends.view(0)).to_move
        assert mover is not None
        await friends.play(mover, 0)
        await friends.ask(1, commands.Resign("r"))
        closed = await Friends.gather(service, 2, game="deep-sea")
        asked = await closed.ask(0, commands.CloseTable("r"))
        await closed.ask(1, commands.AnswerProposal("r", asked.n, True))
        never = await Friends.gather(service, 2, begin=False)
        assert (await refusal(service.record(never.table))).code == "not_playing"
        return await service.record(friends.table), await service.record(closed.table)

    resigned, closed = asyncio.run(scenario())
    assert "resigned: 2\n" in resigned
    assert parse_record(resigned).resigned == (1,)
    for text in (resigned, closed):
        assert text.endswith("end: unfinished\n")
        assert str(parse_record(text)) == text
        assert verify(parse_record(text)).is_fair
