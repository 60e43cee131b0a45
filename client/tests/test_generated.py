"""The client's generated files are those that the package asks for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "generate_messages.py"


def test_generated_files_are_up_to_date() -> None:
    command = [sys.executable, str(SCRIPT), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    hint = "run: python client/scripts/generate_messages.py"
    assert done.returncode == 0, f"{done.stdout}{done.stderr}{hint}"
