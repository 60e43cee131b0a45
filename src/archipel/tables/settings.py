"""The numbers a table lives by. Times in milliseconds unless the name says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

MINUTE = 60_000
DAY = 86_400_000


@dataclass(frozen=True)
class Settings:
    # People.
    away: int = 2 * MINUTE  # after which others may hand a seat to a bot
    phrases: int = 3  # that a seat may say ...
    phrases_within: int = 10_000  # ... in this time
    draw: int = 30_000  # after which a nonce that was not opened voids the draw
    # How long a table may become; no game that is played comes near it.
    events: int = 20_000  # after which a table takes only what ends it
    take_backs: int = 200  # in a row, until something is played that stays
    log_page: int = 400  # events whose lines are sent at once
    # Bots.
    usual_bot: str = "regular"  # in seats left open, where the game has it
    stand_in: str = "greedy"  # plays for the absent, and for bots that failed
    bot_delay: int = 700  # so that people can follow what a bot does; 0: bots never wait
    bot_delay_for_undo: int = 1_200  # after an action that its player may still take back
    bot_time: int = 10_000  # after which a silent bot is given up
    reason_time: int = 60_000  # to find out after the game why a bot moved as it did
    reasons_waiting: int = 8  # in the whole service
    # Making and joining: how many answers are remembered for who asks again, and how long.
    answers_kept: int = 2_000
    answers_kept_for: int = 10 * MINUTE
    # The service.
    tables_in_memory: int = 500
    queue: int = 64  # updates that wait for a slow subscriber
    tick: int = 500  # how often clocks are looked at
    taken_at_once: int = 200  # tables without a keeper
    gap: int = 10_000  # without a tick, after which the server was not there, whatever clocks say
    sweep: int = 10 * MINUTE  # how often idle tables are looked for
    idle: int = 30 * DAY  # after which a table is archived
