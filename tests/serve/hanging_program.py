"""A bot program that reports ready and hangs at the first question, ignoring signals.

usage: python hanging_program.py FILE; writes its process id to FILE before it hangs
"""

import os
import signal
import sys
import time
from pathlib import Path

sys.stdin.readline()
print('{"type": "ready", "games": ["deep-sea"]}', flush=True)
if not sys.stdin.readline():
    sys.exit()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
Path(sys.argv[1]).write_text(str(os.getpid()))
while True:
    time.sleep(60)
