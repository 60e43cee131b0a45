"""A bot program that gets ready, and then hangs for ever, deaf to signals, when it is asked.

usage: python hanging_program.py FILE, where it writes its process id before it hangs
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
