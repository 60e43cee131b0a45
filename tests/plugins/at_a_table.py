"""Play a game of another package over HTTP and WebSocket to its end; print JSON."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any
from urllib import request

from archipel.record import parse_record
from tests.serve.people import Person, make_table
from tests.serve.running import Running, running


def get(server: Running, path: str) -> str:
    with request.urlopen(server.http + path) as answer:
        text: str = answer.read().decode()
        return text


async def play(server: Running) -> dict[str, Any]:
    made = make_table(
        server.http, game="low-tide", seats=[{}, {"bot": "random"}], options={"first": 1}
    )
    async with Person(server.socket_of(made["table"]), made["token"]) as ana:
        await ana.ask("begin")
        await ana.play_until_over(random.Random(1))
        record = get(server, f"/api/tables/{made['table']}/record")
        return {
            "stage": ana.table["stage"],
            "told": [event["key"] for entry in ana.log for event in entry["happenings"]],
            "over": parse_record(record).game.is_over,
        }


def main() -> None:
    with running() as server:
        games = {game["name"]: game for game in json.loads(get(server, "/api/games"))}
        seen = {
            "titles": games["low-tide"]["titles"],
            "rules": json.loads(get(server, "/api/rules/low-tide/fr"))["title"],
            "sentence": json.loads(get(server, "/api/sentences/low-tide/en"))["calm"],
            **asyncio.run(asyncio.wait_for(play(server), 60)),
        }
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
