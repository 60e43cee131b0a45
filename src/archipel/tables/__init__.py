"""The authority: who sits where, what has happened, what may happen. It knows no network.

`TableService` is the door.  Behind it a table is folded from its log (`fold`), and commands are
decided by pure functions (`decisions`).  What leaves is in `shown`, what comes in in `commands`.
"""

from archipel.tables.problems import CODES, Problem, TableRefused
from archipel.tables.service import TableService
from archipel.tables.settings import Settings
from archipel.tables.subscriptions import Dropped, News, Subscription
from archipel.tables.table import Who

__all__ = [
    "CODES",
    "Dropped",
    "News",
    "Problem",
    "Settings",
    "Subscription",
    "TableRefused",
    "TableService",
    "Who",
]
