"""Messages to and from bytes."""

from __future__ import annotations

from struct import Struct

import msgspec

from archipel.serve import messages
from archipel.serve.problems import DECODING_ERRORS, Denied, malformed
from archipel.tables import News

#: The first byte of a frame that is all of a message (RFC 6455, 5.2).
_WHOLE_TEXT = 0x81
#: What goes before a text, by how many bytes its length takes.
_SMALL, _MIDDLING, _LARGE = (Struct(form).pack for form in (">BB", ">BBH", ">BBQ"))

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[messages.FromBrowser] = msgspec.json.Decoder(messages.FromBrowser)


class _Identified(msgspec.Struct):
    id: messages.RequestId | None = None


_ID_DECODER = msgspec.json.Decoder(_Identified)


def encode(message: messages.ToBrowser) -> bytes:
    """A message as a whole WebSocket frame of text, ready to be sent to anybody."""
    text = _ENCODER.encode(message)
    length = len(text)
    if length < 126:
        return _SMALL(_WHOLE_TEXT, length) + text
    if length < 1 << 16:
        return _MIDDLING(_WHOLE_TEXT, 126, length) + text
    return _LARGE(_WHOLE_TEXT, 127, length) + text


def encode_once(news: News) -> bytes:
    """The same for all whom it is told."""
    if news.frame is None:
        news.frame = encode(news.message)
    return news.frame


def decode(text: str | None) -> messages.FromBrowser:
    """A message from a browser; raises `Denied` that names what was malformed."""
    if text is None:
        raise Denied(400, "malformed", "the message is binary: send JSON in a text frame")
    try:
        return _DECODER.decode(text)
    except DECODING_ERRORS as error:
        raise malformed(error, "message") from None


def request_id(text: str | None) -> str | None:
    """The id of a message that may be malformed otherwise, so that its sender can be told."""
    if text is None:
        return None
    try:
        return _ID_DECODER.decode(text).id
    except DECODING_ERRORS:
        return None
