"""Tries tunings of the kernels."""
import fcntl, os, sys, time, traceback
import numpy as np
for new, old in (("vstack", "row_stack"), ("isin", "in1d"), ("trapezoid", "trapz")):
    if not hasattr(np, old):
        setattr(np, old, getattr(np, new))
from numba import cuda
from archipel.envs.batch import Batch
from archipel.envs.gpu import GpuBatch
from archipel.envs.gpu_programs import Tuning, kernels_for

def say(*a):
    print(f"{time.strftime('%M:%S')}", *a, flush=True)

def timed(action, repeat):
    cuda.synchronize()
    t = time.perf_counter()
    for _ in range(repeat):
        action()
    cuda.synchronize()
    return (time.perf_counter() - t) / repeat

def compare(game, kind, tuning, players, steps, lanes=512, **rest):
    g = GpuBatch(game, lanes, players=players, observations=kind, tuning=tuning, seed=5, **rest)
    c = Batch(game, lanes, players=players, **rest)
    c.reset(5)
    off = {}
    for step in range(steps):
        g.step_at_random()
        c.step(g.actions.read())
        if step % 10 == 0 or step > steps - 5:
            b = c.buffers
            for name, left, right in (("obs", g.observation.read(), b.observations.astype(kind)), ("mask", g.mask.read(), b.masks != 0), ("returns", g.returns.read(), b.rewards),
                                      ("seat", g.seat.read(), b.seats), ("over", g.over.read(), (b.ends == 1) | (b.ends == 2)), ("cut", g.cut.read(), b.ends == 3)):
                off[name] = off.get(name, 0) + int((left != right).sum())
        if step == steps - 1:
            off["state"] = sum(g.state(k) != c.state(k) for k in range(0, lanes, 16))
    return off

def main(game, kind, tuning):
    label = f"{game} {kind} {tuning.piece} {tuning.threads} {tuning.registers} {tuning.inline}" + (" NOLOOK" if os.environ.get("NOLOOK") else "")
    t = time.perf_counter()
    kernels_for(game, False, np.dtype(kind).type, tuning)
    say(label, "compiled in %.0f s" % (time.perf_counter() - t))
    lock = open("/tmp/gpu_probe.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        for n in ((1 << 18, 1 << 20) if game == "deep-sea" else (1 << 16, 1 << 18)):
            g = GpuBatch(game, n, players=["outside"] * 4, observations=kind, tuning=tuning, seed=7)
            for _ in range(300):
                g.step_at_random()
            before = g.decisions_at_random()
            whole = timed(g.step_at_random, 40)
            decisions = (g.decisions_at_random() - before) / 40
            kernels = g._kernels
            sort_only = timed(lambda: (kernels.clear(s, 400, g._groups), kernels.count(s, n, g.actions, g._groups), kernels.begin_groups(s, 1, g._groups), kernels.sort(s, n, g.actions, g._groups, g._order)), 10) if (s := stream()) else 0
            real_sort = g._kernels
            unsorted = 0
            g._order.write(np.arange(n, dtype=np.int32))
            class Unsorted:
                def __getattr__(self, name):
                    return (lambda *a: None) if name in ("clear", "count", "begin_groups", "sort") else getattr(real_sort, name)
            g._kernels = Unsorted()
            before = g.decisions_at_random()
            plain = timed(g.step_at_random, 20)
            plain_decisions = (g.decisions_at_random() - before) / 20
            say(label, f"n={n}: {decisions/whole/1e6:.0f} M/s sorted ({whole*1e3:.3f} ms, sorting {sort_only*1e3:.3f}), {plain_decisions/plain/1e6:.0f} M/s unsorted")
            del g
    except Exception:
        say(label, "".join(traceback.format_exc())[-1500:])
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)
    if not os.environ.get("NOLOOK"):
        try:
            say(label, "EQUAL if all 0:", compare(game, kind, tuning, ["outside"] * 4, 250))
        except Exception:
            say(label, "".join(traceback.format_exc())[-1500:])


def stream():
    from archipel.rules.kit.gpu_memory import device_stream
    return device_stream()

if __name__ == "__main__":
    if os.environ.get("NOLOOK"):
        import archipel.envs.gpu_programs as gp
        gp.observing_pieces = lambda *a: ()
    game, kind, piece, threads, registers, inline = sys.argv[1:]
    tuning = Tuning(int(piece), int(threads), None if registers == "-" else int(registers), inline == "1")
    try:
        main(game, kind, tuning)
    except Exception:
        say(sys.argv, "".join(traceback.format_exc())[-2500:])
