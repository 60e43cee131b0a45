"""A bot program that says what it considered: the later an action is listed, the worse it finds it,
and it takes the best."""

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
