"""The net of Deep Sea Adventure as a program of its own, which builds quickly."""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.net_inputs import net_inputs
from archipel.bots.nets import net_score
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Program

PROGRAM: Final = Program("deep-sea-net", State, {"net_inputs": net_inputs, "net_score": net_score})
