"""The command line: ``archipel`` and its commands, one module each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from archipel.cli.boards import choose_boards
from archipel.cli.errors import Stopped, UserError
from archipel.cli.language import DEFAULT, house_words, language_wanted

MISTAKE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def build_parser(language: str = DEFAULT) -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    from archipel.cli import arguments

    return arguments.build_parser(house_words(language))


def main(arguments: Sequence[str] | None = None, *, part: object = None) -> int:
    """Run a command, or a ``part`` of it that is given to a process of its own.

    The exit code is 0, 1 (cut short), 2 (a mistake in what was asked) or 130.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    words = house_words(DEFAULT)
    try:
        words = house_words(language_wanted(given, os.environ))
        choose_boards(given, os.environ)
        # Only now, so that an interrupt while modules load is as quiet as any other, and the rules
        # find the boards that were chosen.
        from archipel.cli.arguments import parse_arguments

        parsed = parse_arguments(given, words)
        parsed.given, parsed.part = given, part
        code: int = parsed.run(parsed, words)
        sys.stdout.flush()
        return code
    except UserError as error:
        # One line, whatever was quoted in it.
        message = " ".join(error.tell(words).split("\n"))
        print(f"archipel: {message}", file=sys.stderr)
        return MISTAKE
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except Stopped as stopped:
        print(f"\narchipel: {words.say('stopped', place=stopped.place)}", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
