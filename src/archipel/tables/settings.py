"""Limits and times of tables, in milliseconds unless a comment says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

MINUTE = 60_000
DAY = 86_400_000


@dataclass(frozen=True)
class Settings:
    # People.
    away: int = 2 * MINUTE  # absence after which others may hand a seat to a bot
    phrases: int = 3  # phrases that a seat may say, or texts that it may write ...
    phrases_within: int = 10_000  # ... in this time
    texts: int = 1_000  # texts that may be written at a table
    draw: int = 30_000  # time to open the nonces; then the draw is void
    draw_return: int = 5_000  # absence at the beginning of a draw in which a share still counts
    refused_names: tuple[str, ...] = ()  # parts of names that the host does not allow
    # Length of a table; real games stay far below.
    events: int = 20_000  # log length from which only commands that end the table are accepted
    take_backs: int = 200  # take-backs in a row without a move that is not free
    log_page: int = 400  # events per page of the log
    # Bots.
    usual_bot: str = "regular"  # takes seats that are open when the game begins
    stand_in: str = "greedy"  # plays for absent people and failed bots
    bot_delay: int = 250  # least time per bot move, so that people can follow; 0: none
    bot_delay_for_undo: int = 1_200  # least time after a move that its player may still take back
    bot_time: int = 10_000  # time limit of a bot's decision
    reason_time: int = 60_000  # time limit of an explanation after the game
    reasons_waiting: int = 8  # explanations at once, in the whole service
    # Tables on a player's device.
    on_device: bool = False  # the new tables of this service are
    moves_to: str = ""  # the address of a server where its tables may continue
    # Cached answers to creating and joining a table, for repeated requests.
    answers_kept: int = 2_000
    answers_kept_for: int = 10 * MINUTE
    # Games by days.
    notice_delay: int = 15_000  # time to take a move back before the next player is notified
    # The service.
    daily: bool = False  # whether there is a deal of the day
    tables_in_memory: int = 500
    memory: int = 48 * 1024 * 1024  # bytes of tables in memory, without those that are in use
    unused: int = 3 * MINUTE  # time after which a table that is not in use leaves memory
    late: int = 200  # lateness of the event loop beyond which reads are refused and bots wait ...
    too_late: int = 500  # ... and beyond which commands are refused, too
    commands: int = 1_000  # commands in progress at once
    bot_patience: int = 5_000  # the longest that a bot waits for people during overload
    queue: int = 64  # messages queued for a slow subscriber
    tick: int = 500  # interval of maintenance
    taken_at_once: int = 200  # tables without a lease that a worker takes per heartbeat
    gap: int = 10_000  # time without a tick that counts as suspension of the process
    sweep: int = 10 * MINUTE  # interval of archiving
    idle: int = 30 * DAY  # inactivity after which a table is archived
