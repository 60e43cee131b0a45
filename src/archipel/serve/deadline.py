"""The deadline of a shutdown: a process that a signal stops ends within five seconds."""

import os
import threading

from archipel.serve.logs import log

#: Less than five seconds, because a busy machine is late: under heavy load by up to two.
STOP_SECONDS = 3.0


def end_in_time(seconds: float = STOP_SECONDS) -> None:
    """End this process after a time, whatever hangs. Acknowledged moves are on disk."""
    timer = threading.Timer(seconds, _give_up, [seconds])
    timer.daemon = True
    timer.start()


def _give_up(seconds: float) -> None:
    log.error(
        "the server did not stop within %g s: it ends now, no acknowledged move is lost", seconds
    )
    os._exit(1)
