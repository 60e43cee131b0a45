"""``python -m tests.simulation SEED ...`` replays seeds; ``--until N`` tries all below N."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

from tests.simulation.plan import plan_of
from tests.simulation.world import run, shrink


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seeds", type=int, nargs="*", metavar="SEED")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N")
    parser.add_argument("--until", type=int, metavar="N", help="try the seeds up to N")
    parser.add_argument("--shrink", action="store_true", help="look for a smaller plan that fails")
    parser.add_argument("--pages", action="store_true", help="play with pages of the client")
    options = parser.parse_args()
    started, tried, failed = time.perf_counter(), 0, 0
    for seed in options.seeds or range(options.first, options.until or 0):
        plan = replace(plan_of(seed), pages=options.pages)
        outcome = run(plan)
        tried += 1
        if outcome.problems or options.seeds:
            print(f"seed {seed}: {outcome.trace} steps={outcome.steps} events={outcome.events}")
            print(f"  {plan}")
        if outcome.problems:
            failed += 1
            print(*(f"  {problem}" for problem in outcome.problems[:8]), sep="\n", flush=True)
            if options.shrink:
                print(f"  smallest: {shrink(plan)}", flush=True)
    print(f"{tried} seeds, {failed} failed, {time.perf_counter() - started:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
