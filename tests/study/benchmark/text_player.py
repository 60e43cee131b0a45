"""Stands in for a language model: reads the view as text and answers in notation.

Its first answer to every decision is wrong; with the argument ``stubborn`` all are.
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    assert question["view"]
    assert question["question"]
    if question["tries_left"] == 2 or "stubborn" in sys.argv:
        answer = "swim to the moon"
    else:
        assert "notation" in question["error"]
        answer = question["legal"][0]
    print(json.dumps({"answer": answer}), flush=True)
