"""Forms of a webhook: our own JSON, two chat systems, and ntfy."""

from __future__ import annotations

import json

from archipel.notices.message import Message


def request_of(form: str, message: Message) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a notice. Its id is the same at every attempt."""
    headers = {"Content-Type": "application/json", "Archipel-Notice": message.id}
    if form == "ntfy":
        # Headers are ASCII: the title is in the text.
        plain = {**headers, "Content-Type": "text/plain; charset=utf-8", "Click": message.link}
        return f"{message.title}\n{message.body}".encode(), plain
    text = f"{message.title}\n{message.body}\n{message.link}"
    if form == "discord":
        # Nobody is mentioned, whatever a name contains.
        return _json({"content": text, "allowed_mentions": {"parse": []}}), headers
    if form == "slack":
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return _json({"text": escaped}), headers
    content = {
        "id": message.id,
        "title": message.title,
        "body": message.body,
        "link": message.link,
        "turns": [
            {"table": part.table, "game": part.game, "kind": part.kind, "link": part.link}
            for part in message.parts
        ],
    }
    return _json(content), headers


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
