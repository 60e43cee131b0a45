"""Hand a backup to the server that has the database open; it puts it in place and serves on.

Both sides meet at files beside the database, which is the one place they surely share:

* ``.offered``: a checked copy of the backup. Whoever restores makes it, and removes it if nobody
  comes.
* ``.accepted``: the same file, under the name that the server gives it before anything else.
* ``.answer``: what came of it.
"""

import os
import shutil
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from archipel.store.errors import FileInUse, FileRefused, StoreError, StoreFailed
from archipel.store.files import beside, create_private_file, put_in_place, remove_unfinished
from archipel.store.process_lock import ProcessLock
from archipel.store.restore import Restored, check_backup, refuse_unfinished, restore

_OFFERED, _ACCEPTED, _ANSWER = ".offered", ".accepted", ".answer"
_LOOK_EVERY = 0.1


class _Answer(msgspec.Struct, frozen=True):
    """What the server tells: where the old database is kept, or why there is no new one."""

    kept: str | None = None
    problem: str | None = None


# ---- whoever restores ---------------------------------------------------------------------------


def hand_over(backup: Path, target: Path, *, patience: float = 60) -> Restored:
    """Let the server that has `target` open put `backup` in its place; wait until it has.

    The old database is kept beside the new one. Should the server end before it accepts, the backup
    is restored without it. Raises `StoreError`: nothing has changed then, or it says otherwise.
    """
    backup, target = backup.resolve(), target.resolve()
    offered = beside(target, _OFFERED)
    if offered.exists() or beside(target, _ACCEPTED).exists():
        raise FileRefused(target, "is being restored by somebody else")
    try:
        version, tables, events = _offer(backup, target)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error
    try:
        answer = _wait_for_answer(target, patience)
    finally:
        offered.unlink(missing_ok=True)
    if answer is None:
        return restore(backup, target, force=True)
    if answer.problem is not None:
        raise StoreFailed(f"{backup} was not restored: {answer.problem}")
    return Restored(version, tables, events, None if answer.kept is None else Path(answer.kept))


def _offer(backup: Path, target: Path) -> tuple[int, int, int]:
    candidate = beside(target, ".offering")
    refuse_unfinished(backup)
    remove_unfinished(candidate)
    beside(target, _ANSWER).unlink(missing_ok=True)
    try:
        create_private_file(candidate)
        shutil.copyfile(backup, candidate)
        found = check_backup(candidate, backup)
        put_in_place(candidate, beside(target, _OFFERED))
    finally:
        remove_unfinished(candidate)
    return found


def _wait_for_answer(target: Path, patience: float) -> _Answer | None:
    """What the server said; None if there is no server any more."""
    offered, told = beside(target, _OFFERED), beside(target, _ANSWER)
    end = time.monotonic() + patience
    while not told.exists():
        if offered.exists() and not _is_open(target):
            return None
        if time.monotonic() > end:
            raise StoreFailed(_why_no_answer(target))
        time.sleep(_LOOK_EVERY)
    answer = msgspec.json.decode(told.read_bytes(), type=_Answer)
    told.unlink()
    return answer


def _why_no_answer(target: Path) -> str:
    try:
        beside(target, _OFFERED).unlink()
    except FileNotFoundError:
        return f"the server that uses {target} accepted the backup and said no more: ask its log"
    return f"the server that uses {target} did not take the backup: nothing was restored"


def _is_open(target: Path) -> bool:
    try:
        ProcessLock(target).release()
    except FileInUse:
        return True
    return False


# ---- the server ---------------------------------------------------------------------------------


def forget_offers(target: Path) -> None:
    """Remove what an earlier server, or whoever waited for it, left behind. Call it at the start:
    what was offered then is not what anybody wants now."""
    for suffix in (_OFFERED, _ACCEPTED, _ANSWER):
        with suppress(OSError):
            beside(target.resolve(), suffix).unlink(missing_ok=True)


def accept_offer(target: Path) -> Path | None:
    """A backup that waits to be put in place, now ours; None as long as there is none."""
    target = target.resolve()
    try:
        os.replace(beside(target, _OFFERED), beside(target, _ACCEPTED))
    except OSError:
        return None
    return beside(target, _ACCEPTED)


def put_accepted_in_place(accepted: Path, target: Path) -> None:
    """Make an accepted backup the database, which must be closed, and say what came of it."""
    target = target.resolve()
    try:
        restored = restore(accepted, target, force=True)
        answer = _Answer(kept=None if restored.kept is None else str(restored.kept))
    except StoreError as error:
        answer = _Answer(problem=str(error))
    with suppress(OSError):  # whoever waits hears nothing then; the server has to go on
        accepted.unlink(missing_ok=True)
        _tell(target, answer)


def _tell(target: Path, answer: _Answer) -> None:
    unfinished = beside(target, ".answering")
    unfinished.unlink(missing_ok=True)
    create_private_file(unfinished)
    unfinished.write_bytes(msgspec.json.encode(answer))
    put_in_place(unfinished, beside(target, _ANSWER))
