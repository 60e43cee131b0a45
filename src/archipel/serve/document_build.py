"""Build the documents of a checkout in the background. A wheel contains them."""

import subprocess
import sys
import threading
from pathlib import Path

from archipel.bots.external.line_process import python_environment
from archipel.serve.logs import log

CHECKOUT = Path(__file__).resolve().parents[3]


def can_build_documents() -> bool:
    """Whether this is a checkout."""
    return (CHECKOUT / "tools" / "documents" / "__main__.py").is_file()


def start_document_build() -> None:
    """Start to build the documents in another process, if they are out of date. Takes seconds."""
    threading.Thread(target=_build, name="documents", daemon=True).start()


def _build() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.documents", "--when-stale"],
        cwd=CHECKOUT,
        env=python_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        log.warning("the documents could not be built: %s", done.stderr.strip()[-500:])
