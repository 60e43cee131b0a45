"""Tables: who sits where, what has happened, what may happen. Knows no network.

`TableService` is the entry point.  `commands` defines the requests, `decisions` turns a command
into events or a refusal, `log` folds events into the state of a table, `publishing` makes what each
seat may see of it, `bots` runs the bots, `cluster` shares tables between workers.
"""

from archipel.tables.log.table_state import Participant
from archipel.tables.problems import Problem, TableRefused
from archipel.tables.publishing.publisher import SharedMessage, Subscription, SubscriptionEnded
from archipel.tables.service import TableService
from archipel.tables.settings import Settings

__all__ = [
    "Participant",
    "Problem",
    "Settings",
    "SharedMessage",
    "Subscription",
    "SubscriptionEnded",
    "TableRefused",
    "TableService",
]
