"""A bot for Deep Sea Adventure in Python: it takes what it meets and turns back in good time.

It needs nothing but Python itself. Let it play with

    archipel play deep-sea --players Ana,homeward --bot "homeward=python3 examples/bots/homeward.py"
"""

import json
import sys
from typing import Any


def choose(question: dict[str, Any]) -> str:
    """The text of an action: what to do as the seat that is asked."""
    legal = [str(action["text"]) for action in question["legal"]]
    view, seat = question["view"], question["seat"]
    if "take" in legal and view["load"][seat] < 3:
        return "take"
    # Every unit carried costs air at each turn and a step of each throw.
    if "turn back" in legal and (view["load"][seat] >= 2 or view["air"] < 12):
        return "turn back"
    return legal[0]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "games": ["deep-sea"]}
    else:
        answer = {"action": choose(message)}
    print(json.dumps(answer), flush=True)
