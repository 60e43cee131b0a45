"""What is known of a table without reading its log: its line in a list, and whether it is awake."""

from __future__ import annotations

import msgspec

from archipel.store import Outlook, Standing
from archipel.tables import shown
from archipel.tables.table import Table


class Line(msgspec.Struct, frozen=True):
    """What a list of tables tells of each, kept with every event so that no log need be read."""

    game: str
    stage: shown.Stage
    names: list[str]
    created_at: int


def outlook_of(table: Table) -> Outlook:
    line = None
    if table.public and table.stage != "closed":
        names = [seat.name for seat in table.seats if seat.kind != "open"]
        line = msgspec.json.encode(Line(table.game, table.stage, names, table.created_at))
    awake = (
        table.draw is not None or table.bot_to_move is not None or table.clock_runs_for is not None
    )
    return Outlook(line, awake) if line is not None else _UNLISTED[awake]


#: Of tables that are on no list, asleep and awake.
_UNLISTED = (Outlook(None, False), Outlook(None, True))


def table_line(standing: Standing) -> shown.TableLine:
    line = msgspec.json.decode(standing.outlook.line or b"", type=Line)
    return shown.TableLine(
        id=standing.table_id,
        game=line.game,
        stage=line.stage,
        names=line.names,
        created_at=line.created_at / 1000,
        last_at=standing.active_at / 1000,
    )
