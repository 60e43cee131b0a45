"""The command line: ``archipel`` and its commands, one module each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from archipel.cli.early_options import (
    DEFAULT_LANGUAGE,
    choose_boards,
    load_sentences,
    requested_language,
)
from archipel.cli.errors import CommandFailed, Stopped, UserError

FAILED = 1
MISTAKE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def build_parser(language: str = DEFAULT_LANGUAGE) -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    from archipel.cli import arguments

    return arguments.build_parser(load_sentences(language))


def main(arguments: Sequence[str] | None = None, *, part: object = None) -> int:
    """Run a command; ``part`` is the part of a worker of ``archipel serve --workers``.

    Returns the exit code: 0, 1 (failed), 2 (a mistake in the arguments) or 130 (interrupted).
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    words = load_sentences(DEFAULT_LANGUAGE)
    try:
        words = load_sentences(requested_language(given, os.environ))
        choose_boards(given, os.environ)
        # Imported here, so that an interrupt during the import is handled below, and so that the
        # rules find the chosen boards.
        from archipel.cli.arguments import parse_arguments

        parsed = parse_arguments(given, words)
        parsed.given, parsed.part = given, part
        code: int = parsed.run(parsed, words)
        sys.stdout.flush()
        return code
    except UserError as error:
        # Always one line, also if it quotes several.
        message = " ".join(error.tell(words).split("\n"))
        print(f"archipel: {message}", file=sys.stderr)
        return MISTAKE
    except CommandFailed as error:
        print(f"archipel: {error}", file=sys.stderr)
        return FAILED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except Stopped as stopped:
        print(f"\narchipel: {words.say('stopped', place=stopped)}", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output is gone: keep Python from flushing it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
