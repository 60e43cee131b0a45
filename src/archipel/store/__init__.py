"""The event store: numbered events per table, kept safe; see `protocol.EventStore`."""

from archipel.store.errors import (
    BackupUnsupported,
    Conflict,
    DamagedFile,
    FileExists,
    FileInUse,
    FileRefused,
    InvalidRequest,
    NewerFile,
    NoSuchTable,
    NotArchipelFile,
    Refused,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreFailed,
    TableArchived,
    TableExists,
    Unavailable,
)
from archipel.store.handover import (
    accept_offer,
    forget_offers,
    hand_over,
    put_accepted_in_place,
)
from archipel.store.limits import Limits
from archipel.store.memory import MemoryStore
from archipel.store.protocol import Appended, Event, EventStore, Outlook, Standing, TableInfo
from archipel.store.restore import Restored, restore
from archipel.store.salvage import Salvaged, salvage
from archipel.store.sqlite import SqliteStore, back_up

__all__ = [
    "Appended",
    "BackupUnsupported",
    "Conflict",
    "DamagedFile",
    "Event",
    "EventStore",
    "FileExists",
    "FileInUse",
    "FileRefused",
    "InvalidRequest",
    "Limits",
    "MemoryStore",
    "NewerFile",
    "NoSuchTable",
    "NotArchipelFile",
    "Outlook",
    "Refused",
    "Restored",
    "Salvaged",
    "SqliteStore",
    "Standing",
    "StoreBusy",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "TableArchived",
    "TableExists",
    "TableInfo",
    "Unavailable",
    "accept_offer",
    "back_up",
    "forget_offers",
    "hand_over",
    "put_accepted_in_place",
    "restore",
    "salvage",
]
