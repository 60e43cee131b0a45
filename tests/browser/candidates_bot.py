"""A bot program that reports candidates: rates the legal actions in order and plays the first."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
        continue
    legal = [action["action"] for action in message["legal"]]
    candidates = [
        {"action": action, "chance": 0.6 / (place + 1), "tried": 100}
        for place, action in enumerate(legal)
    ]
    print(json.dumps({"action": legal[0], "candidates": candidates}), flush=True)
