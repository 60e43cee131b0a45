"""Tries tunings of the kernels: GAME KIND PIECE CAPS, where caps of registers share one compilation."""
import fcntl, os, sys, time, traceback
import numpy as np
from numba import cuda
import archipel.envs.gpu as eg
import archipel.envs.gpu_programs as gp
import archipel.rules.kit.gpu as kg
from archipel.envs.batch import Batch
from archipel.envs.gpu import GpuBatch
from archipel.envs.gpu_programs import Tuning

def say(*a):
    print(f"{time.strftime('%M:%S')}", *a, flush=True)

def whole_trace():
    return "".join(traceback.format_exc())[-1500:]

def rate(g, steps, launches):
    for _ in range(2):
        g.step_at_random(steps)
    g.synchronise()
    before = g.decisions()
    t = time.perf_counter()
    for _ in range(launches):
        g.step_at_random(steps)
    g.synchronise()
    t = time.perf_counter() - t
    return (g.decisions() - before) / t / 1e6

def compare(game, kind, steps, lanes=512):
    players = ["outside"] * 4
    g = GpuBatch(game, lanes, players=players, observations=kind, seed=5)
    c = Batch(game, lanes, players=players)
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
    off["state"] = sum(g.state(k) != c.state(k) for k in range(0, lanes, 16))
    # Many steps in one go are the same steps.
    h = GpuBatch(game, lanes, players=players, observations=kind, seed=5)
    h.step_at_random(steps)
    for name in ("observation", "mask", "returns", "seat", "over", "rewards"):
        off["at once"] = off.get("at once", 0) + int((getattr(g, name).read() != getattr(h, name).read()).sum())
    return off

def main(game, kind, piece, caps):
    label = f"{game} {kind} {piece}"
    lock = open("/tmp/gpu_probe.lock", "w")
    t = time.perf_counter()
    tuning = Tuning(piece=piece)
    kind_type = np.dtype(kind).type
    spec = gp.step_kernel(game, False, kind_type, tuning)
    library, entry = kg.lowered(spec, (9, 0))
    loaded = {}
    for cap in caps:
        library._max_registers = cap
        library._cubin_cache.clear()
        code = b"\n".join([entry.encode(), library.get_cubin(cc=(9, 0)).code])
        kernel = object.__new__(kg.LoadedKernel)
        kernel._load(code, spec.threads)
        try:
            a = kernel._kernel.attributes
            say(label, cap, "registers", a.num_regs(), "local", a.local_size_bytes(), "shared", a.shared_size_bytes())
        except Exception as e:
            say("no attributes", e)
        loaded[cap] = kernel
    others = {m.function.__name__: kg.LoadedKernel(m) for m in [gp.seed_kernel(game), *gp.sorting_kernels(game), gp.pick_kernel(game)]}
    say(label, "compiled in %.0f s" % (time.perf_counter() - t))
    def kernels(cap):
        return gp.Kernels(-(-gp.game_named(game).actions // 32), take=None, step=loaded[cap], **others)
    best = (0, caps[0], 1)
    fcntl.flock(lock, fcntl.LOCK_EX)
    for cap in caps:
        eg.kernels_for = lambda *a, cap=cap: kernels(cap)
        for n in (1 << 17, 1 << 20) if game == "deep-sea" else (1 << 16, 1 << 18):
            try:
                g = GpuBatch(game, n, players=["outside"] * 4, observations=kind, seed=7)
                g.step_at_random(200)
                for _ in range(100): g.step_at_random()
                one = rate(g, 1, 30)
                some = rate(g, 4, 8)
                many = rate(g, 32, 2)
                say(label, f"cap={cap} n={n}: M/s by 1 sorted {one:.0f}, by 4 {some:.0f}, by 32 {many:.0f}")
                del g
            except Exception:
                say(label, cap, n, whole_trace())
    fcntl.flock(lock, fcntl.LOCK_UN)
    eg.kernels_for = lambda *a: kernels(caps[0])
    try:
        say(label, "EQUAL if all 0:", compare(game, kind, 300))
    except Exception:
        say(label, whole_trace())

if __name__ == "__main__":
    game, kind, piece, caps = sys.argv[1:]
    try:
        main(game, kind, int(piece), [None if c == "-" else int(c) for c in caps.split(",")])
    except Exception:
        say(sys.argv, whole_trace())
