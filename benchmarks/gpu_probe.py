"""Variants of the kernels of a graphics card, tried out."""
import fcntl, os, sys, time, traceback
import numpy as np
for new, old in (("vstack", "row_stack"), ("isin", "in1d"), ("trapezoid", "trapz")):
    if not hasattr(np, old):
        setattr(np, old, getattr(np, new))
from numba import cuda
from numba.cuda.cudadrv.devicearray import DeviceNDArray
from archipel.envs import kernel
from archipel.envs import device_rules as dr
from archipel.envs.programs import lanes_program, observation_of
from archipel.envs.spec import spec_of
from archipel.rules import slots
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.gpu import device_rules
from archipel.rules.kit.layout import layout
from archipel.rules.kit.observing import observing_pieces

def say(*a):
    print(f"{time.strftime('%M:%S')}", *a, flush=True)

def programs(game, bots=False):
    p = lanes_program(game, bots)
    return Program(p.name, p.state, (kernel.play_lane, dr.pick_at_random),
                   {**p.bindings, kernel.show: dr.show_later, kernel.permit: dr.permit_bits})


def make_play(game, variant, tpb, inline, cap=None):
    d = game_named(game)
    p = programs(game)
    f = device_rules(p) if inline else device_rules(p, forceinline=False)
    pl = f[kernel.play_lane]
    sd = layout(p.state)
    W = sd.itemsize // 4
    W2 = 2 * W
    PITCH = W + 1 - W % 2
    M = d.most_legal
    WORDS = -(-d.actions // 32)
    options = {} if cap is None else {"max_registers": cap}
    if variant == "global":
        @cuda.jit(**options)
        def play(states, words, lanes, chances, choices, setting, bots, allowed, given, order, obs, masks, rewards, ends, asked):
            i = cuda.grid(1)
            if i < order.shape[0]:
                n = order[i]
                buf = cuda.local.array(M, np.int16)
                e = pl(states, 2 + n, states[1], lanes[n], chances[n], choices[n], setting[0], bots, buf, allowed, n * WORDS, int(given[n]), obs[0], masks[0], obs, 0, rewards, n * setting[0].seats)
                ends[n] = e
                asked[n] = lanes[n].seat
    elif variant == "local":
        @cuda.jit(**options)
        def play(states, words, lanes, chances, choices, setting, bots, allowed, given, order, obs, masks, rewards, ends, asked):
            i = cuda.grid(1)
            if i < order.shape[0]:
                n = order[i]
                lw = cuda.local.array(W2, np.uint32)
                ls = lw.view(sd)
                buf = cuda.local.array(M, np.int16)
                if lanes[n].ended != 0 or given[n] < 0:
                    for k in range(W):
                        lw[k] = words[0, k]
                else:
                    for k in range(W):
                        lw[k] = words[2 + n, k]
                e = pl(ls, 0, ls[1], lanes[n], chances[n], choices[n], setting[0], bots, buf, allowed, n * WORDS, int(given[n]), obs[0], masks[0], obs, 0, rewards, n * setting[0].seats)
                ends[n] = e
                asked[n] = lanes[n].seat
                for k in range(W):
                    words[2 + n, k] = lw[k]
    else:
        @cuda.jit(**options)
        def play(states, words, lanes, chances, choices, setting, bots, allowed, given, order, obs, masks, rewards, ends, asked):
            i = cuda.grid(1)
            me = cuda.threadIdx.x
            room = cuda.shared.array(0, np.uint32)
            t = me & 31
            warp = me >> 5
            first = i - t
            for l in range(32):
                if first + l < order.shape[0]:
                    m = order[first + l]
                    for k in range(t, W, 32):
                        room[(warp * 32 + l) * PITCH + k] = words[2 + m, k]
            cuda.syncwarp()
            if i < order.shape[0]:
                n = order[i]
                mine = room[me * PITCH:me * PITCH + W]
                ls = mine.view(sd)
                lw = cuda.local.array(W, np.uint32)
                seen = lw.view(sd)
                buf = cuda.local.array(M, np.int16)
                if lanes[n].ended != 0 or given[n] < 0:
                    for k in range(W):
                        mine[k] = words[0, k]
                e = pl(ls, 0, seen[0], lanes[n], chances[n], choices[n], setting[0], bots, buf, allowed, n * WORDS, int(given[n]), obs[0], masks[0], obs, 0, rewards, n * setting[0].seats)
                ends[n] = e
                asked[n] = lanes[n].seat
            cuda.syncwarp()
            for l in range(32):
                if first + l < order.shape[0]:
                    m = order[first + l]
                    for k in range(t, W, 32):
                        words[2 + m, k] = room[(warp * 32 + l) * PITCH + k]
    return play, f[dr.pick_at_random], (PITCH * 4 if variant == "shared" else 0)


def make_rest(pick, words_per_lane, actions):
    KEYS = actions + 1
    @cuda.jit
    def choose(lanes, choices, setting, allowed, given, played):
        n = cuda.grid(1)
        if n < lanes.shape[0]:
            a = pick(lanes[n], setting[0], allowed, n * words_per_lane, choices[n])
            given[n] = a
            if a >= 0:
                played[n] += 1
    @cuda.jit
    def clear(counts):
        i = cuda.threadIdx.x
        while i < KEYS:
            counts[i] = 0
            i += cuda.blockDim.x
    @cuda.jit
    def count(given, counts):
        here = cuda.shared.array(KEYS, np.int32)
        i = cuda.threadIdx.x
        while i < KEYS:
            here[i] = 0
            i += cuda.blockDim.x
        cuda.syncthreads()
        n = cuda.grid(1)
        if n < given.shape[0]:
            cuda.atomic.add(here, max(given[n], -1) + 1, 1)
        cuda.syncthreads()
        i = cuda.threadIdx.x
        while i < KEYS:
            if here[i] != 0:
                cuda.atomic.add(counts, i, here[i])
            i += cuda.blockDim.x
    @cuda.jit
    def scan(counts):
        total = 0
        for i in range(KEYS):
            c = counts[i]
            counts[i] = total
            total += c
    @cuda.jit
    def scatter(given, counts, order):
        here = cuda.shared.array(KEYS, np.int32)
        base = cuda.shared.array(KEYS, np.int32)
        i = cuda.threadIdx.x
        while i < KEYS:
            here[i] = 0
            i += cuda.blockDim.x
        cuda.syncthreads()
        n = cuda.grid(1)
        key = 0
        place = 0
        if n < given.shape[0]:
            key = max(given[n], -1) + 1
            place = cuda.atomic.add(here, key, 1)
        cuda.syncthreads()
        i = cuda.threadIdx.x
        while i < KEYS:
            if here[i] != 0:
                base[i] = cuda.atomic.add(counts, i, here[i])
            i += cuda.blockDim.x
        cuda.syncthreads()
        if n < given.shape[0]:
            order[base[key] + place] = n
    return choose, clear, count, scan, scatter


def make_observe(game, kind, most, warps):
    d = game_named(game)
    pieces = observing_pieces(game, d.state, d.seats[-1], observation_of(game), most)
    p = Program(game, d.state, (slots.recall, *(piece.rule for piece in pieces)), d.bindings())
    f = device_rules(p)
    sd = layout(d.state)
    W = sd.itemsize // 4
    width = np.dtype(kind).itemsize
    pitch_words = -(-most * width // 4)
    PITCH = (pitch_words + 1 - pitch_words % 2) * 4 // width
    ROOM = warps * 32 * PITCH
    WORDS = -(-d.actions // 32)
    ACTIONS = d.actions
    scope = {"cuda": cuda, "np": np, "W": W, "sd": sd, "PITCH": PITCH, "ROOM": ROOM, "WORDS": WORDS, "ACTIONS": ACTIONS,
             "kind": np.dtype(kind).type, "recall": f[slots.recall]}
    @cuda.jit(device=True, forceinline=True)
    def flush(room, obs, first, t, base, at, size):
        for l in range(32):
            if first + l < obs.shape[0]:
                for k in range(t, size, 32):
                    obs[first + l, at + k] = room[base + l * PITCH + k]
    scope["flush"] = flush
    lines = ["def look(states, lanes, allowed, obs, masks):",
             "    room = cuda.shared.array(ROOM, kind)",
             "    me = cuda.threadIdx.x", "    t = me & 31", "    base = (me - t) * PITCH",
             "    n = cuda.grid(1)", "    first = n - t",
             "    words = cuda.local.array(W, np.uint32)", "    view = words.view(sd)",
             "    seat = 0",
             "    mine = room[me * PITCH:(me + 1) * PITCH]",
             "    if n < lanes.shape[0]:",
             "        seat = int(lanes[n].seat)",
             "        recall(states[2 + n], seat, view[0])"]
    for number, piece in enumerate(pieces):
        scope[f"observe_{number}"] = f[piece.rule]
        lines += [f"    for k in range({piece.size}):", "        mine[k] = 0",
                  "    if n < lanes.shape[0]:", f"        observe_{number}(view[0], seat, mine)",
                  "    cuda.syncwarp()", f"    flush(room, obs, first, t, base, {piece.first}, {piece.size})", "    cuda.syncwarp()"]
    lines += ["    for l in range(32):", "        if first + l < lanes.shape[0]:",
              "            for k in range(WORDS):",
              "                a = k * 32 + t",
              "                if a < ACTIONS:",
              "                    masks[first + l, a] = allowed[(first + l) * WORDS + k] >> t & 1"]
    exec("\n".join(lines), scope)
    return cuda.jit(scope["look"])


class Cpu:
    """The same on the processor."""
    def __init__(self, game, seats, lanes, seed):
        from archipel.rules.kit.compiling import compile_program
        from archipel.envs.programs import observing
        p = lanes_program(game, False)
        d = self.d = game_named(game)
        p = Program(p.name, p.state, (kernel.play_lanes, dr.pick_for_lanes), p.bindings)
        self.b = b = compile_program(p)
        self.n = lanes
        self.states = b.states(2 + lanes)
        b.write(self.states, 0, d.blank(d.make_options(seats)))
        self.lanes = b.records(kernel.Lane, lanes)
        self.lanes["seed"] = seed + np.arange(lanes)
        self.setting = b.records(kernel.Setting, 1)
        for k, v in setting_of(d, seats).items():
            self.setting[k] = v
        self.words = -(-d.actions // 32)
        self.rest = (b.states(1), b.records(Stream, lanes), b.stream(0), b.numbers(seats), b.numbers(d.most_legal), b.numbers(lanes * self.words))
        self.rest[3][:] = kernel.OUTSIDE
        self.given = np.full(lanes, kernel.BEGIN, np.int64)
        self.obs = np.zeros((lanes, spec_of(game).size), np.float32)
        self.masks = np.zeros((lanes, d.actions), np.int8)
        self.finals = np.zeros((0, spec_of(game).size), np.float32)
        self.rewards = np.zeros(lanes * seats)
        self.ends = np.zeros(lanes, np.int8)
        self.asked = np.zeros(lanes, np.int64)
    def step(self):
        seen, chances, choices, bots, buffer, allowed = self.rest
        self.b.play_lanes(self.states, seen, self.lanes, chances, choices, self.setting[0], bots, buffer, allowed, self.given, self.obs, self.masks, self.finals, self.rewards, self.ends, self.asked, 0, self.n)
        self.allowed = allowed
    def pick(self):
        _, _, choices, _, _, allowed = self.rest
        self.b.pick_for_lanes(self.lanes, self.setting[0], allowed, choices, self.given, 0, self.n)


def setting_of(d, seats):
    return {"seats": seats, "rotate": 0, "autoreset": kernel.NEXT_STEP, "worth": kernel.SHARE, "most_decisions": 20000, "actions": d.actions, "words": -(-d.actions // 32)}


class Gpu:
    def __init__(self, game, seats, n, seed, kind, pitch):
        d = game_named(game)
        sd = layout(d.state)
        blank = d.blank(d.make_options(seats))
        import dataclasses
        first = np.zeros(2, sd)
        for fd in dataclasses.fields(d.state):
            first[0][fd.name] = getattr(blank, fd.name)
        self.states = cuda.device_array(2 + n, sd)
        self.states[:2].copy_to_device(first)
        W = sd.itemsize // 4
        self.words = DeviceNDArray((2 + n, W), (W * 4, 4), np.uint32, gpu_data=self.states.gpu_data)
        lanes = np.zeros(n, layout(kernel.Lane))
        lanes["game"] = -1; lanes["ended"] = 1; lanes["seed"] = seed + np.arange(n)
        self.lanes = cuda.to_device(lanes)
        self.chances = cuda.to_device(np.zeros(n, layout(Stream)))
        self.choices = cuda.to_device(np.zeros(n, layout(Stream)))
        s = np.zeros(1, layout(kernel.Setting))
        for k, v in setting_of(d, seats).items():
            s[k] = v
        self.setting = cuda.to_device(s)
        self.bots = cuda.to_device(np.full(seats, -1, np.int64))
        self.wordcount = -(-d.actions // 32)
        self.allowed = cuda.to_device(np.zeros(n * self.wordcount, np.int64))
        self.given = cuda.to_device(np.full(n, kernel.BEGIN, np.int32))
        self.order = cuda.to_device(np.arange(n, dtype=np.int32))
        size = spec_of(game).size
        self.obs = cuda.device_array((n, size if not pitch else -(-size // pitch) * pitch), kind)
        self.masks = cuda.device_array((n, d.actions), np.int8)
        self.rewards = cuda.device_array(n * seats, np.float64)
        self.ends = cuda.device_array(n, np.int8)
        self.asked = cuda.device_array(n, np.int64)
        self.played = cuda.to_device(np.zeros(n, np.int32))
        self.counts = cuda.to_device(np.zeros(d.actions + 1, np.int32))
        self.n = n


def timed(action, repeat):
    cuda.synchronize()
    t = time.perf_counter()
    for _ in range(repeat):
        action()
    cuda.synchronize()
    return (time.perf_counter() - t) / repeat


def main(game, variant, inline, cap, kind, most, warps, reference):
    seats = 4
    d = game_named(game)
    label = f"{game} {variant} inline={inline} cap={cap} {kind}/{most}/{warps}"
    t = time.perf_counter()
    play, pick, shared_each = make_play(game, variant, 128, inline, cap)
    words = -(-d.actions // 32)
    choose, clear, count, scan, scatter = make_rest(pick, words, d.actions)
    look = make_observe(game, kind, most, warps) if kind else None

    def launch(g, tpb, do_sort, parts):
        blocks = -(-g.n // 256)
        def one_choose(): choose[blocks, 256](g.lanes, g.choices, g.setting, g.allowed, g.given, g.played)
        def one_sort():
            clear[1, 256](g.counts); count[blocks, 256](g.given, g.counts); scan[1, 1](g.counts); scatter[blocks, 256](g.given, g.counts, g.order)
        def one_play():
            play[-(-g.n // tpb), tpb, 0, tpb * shared_each](g.states, g.words, g.lanes, g.chances, g.choices, g.setting, g.bots, g.allowed, g.given, g.order, g.obs, g.masks, g.rewards, g.ends, g.asked)
        def one_look():
            if look is not None:
                look[-(-g.n // (32 * warps)), 32 * warps](g.states, g.lanes, g.allowed, g.obs, g.masks)
        return {"choose": one_choose, "sort": one_sort, "play": one_play, "look": one_look}

    lock = open("/tmp/gpu_probe.lock", "w")
    g = Gpu(game, seats, 1024, 7, kind or "f4", 0)
    todo = launch(g, 64, True, None)
    todo["play"](); cuda.synchronize()
    todo["choose"](); todo["sort"](); todo["look"](); cuda.synchronize()
    say(label, "compiled in %.0f s" % (time.perf_counter() - t))
    for name, k in (("play", play), ("look", look)):
        if k is not None:
            try:
                say(label, name, "regs", k.get_regs_per_thread(), "local", k.get_local_mem_per_thread(), "shared", k.get_shared_mem_per_block())
            except Exception as e:
                say(name, "no figures", e)
    # Equality: play on to step number STEPS.
    for _ in range(150):
        if os.path.exists(reference): break
        time.sleep(1)
    time.sleep(0.5)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        if os.path.exists(reference):
            ref = np.load(reference)
            g = Gpu(game, seats, ref["n"], 7, kind or "f4", 0)
            todo = launch(g, 64, True, None)
            todo["play"]()
            for step in range(ref["steps"]):
                todo["choose"](); todo["sort"](); todo["play"]()
            todo["look"]()
            cuda.synchronize()
            same = {"states": bool((g.states.copy_to_host().view(np.uint8)[2 * layout(d.state).itemsize:] == ref["states"].view(np.uint8)[2 * layout(d.state).itemsize:]).all()),
                    "lanes": bool((g.lanes.copy_to_host().view(np.uint8) == ref["lanes"].view(np.uint8)).all()),
                    "masks": bool((g.masks.copy_to_host() == ref["masks"]).all()) if look else None,
                    "rewards": bool((g.rewards.copy_to_host() == ref["rewards"]).all()),
                    "asked": bool((g.asked.copy_to_host() == ref["asked"]).all()), "ends": bool((g.ends.copy_to_host() == ref["ends"]).all())}
            if look:
                o = g.obs.copy_to_host()
                same["obs"] = bool((o == ref["obs"].astype(o.dtype)).all())
                same["obs off"] = int((o != ref["obs"].astype(o.dtype)).sum())
            say(label, "EQUAL", same)
        for n in ((1 << 18, 1 << 20) if game == "deep-sea" else (1 << 16, 1 << 18)):
            g = Gpu(game, seats, n, 7, kind or "f4", 0)
            for tpb in ((32, 64) if variant == 'shared' else (64, 128, 256)):
                for do_sort in (False, True):
                    try:
                        todo = launch(g, tpb, do_sort, None)
                        if tpb == 64 and not do_sort:
                            todo["play"]()
                            for _ in range(400): todo["choose"](); todo["play"]()
                        if not do_sort:
                            g.order = cuda.to_device(np.arange(n, dtype=np.int32))
                        times = {}
                        before = g.played.copy_to_host().sum()
                        def step():
                            todo["choose"]()
                            if do_sort: todo["sort"]()
                            todo["play"]()
                        whole = timed(step, 40)
                        decisions = (g.played.copy_to_host().sum() - before) / 40
                        todo["choose"]()
                        c = timed(todo["choose"], 5)
                        s = timed(todo["sort"], 5) if do_sort else 0
                        todo["play"]()
                        l = timed(todo["look"], 5)
                        say(label, f"n={n} tpb={tpb} sort={do_sort}: step {whole*1e3:.3f} ms -> {decisions/whole/1e6:.0f} M/s; choose {c*1e3:.3f} sort {s*1e3:.3f} look {l*1e3:.3f} ms; all {decisions/(whole+l)/1e6:.0f} M/s")
                    except Exception as e:
                        say(label, n, tpb, do_sort, "FAILED", str(e)[-300:])
            del g
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def reference(game, file):
    c = Cpu(game, 4, 2048, 7)
    c.step()
    steps = 250
    t = time.perf_counter()
    done = 0
    for _ in range(steps):
        c.pick(); c.step(); done += int((c.given >= 0).sum())
    say(game, "cpu one core with observations %.2f M/s" % (done / (time.perf_counter() - t) / 1e6))
    np.savez(file, n=2048, steps=steps, states=c.states, lanes=c.lanes, masks=c.masks, rewards=c.rewards, asked=c.asked, ends=c.ends, obs=c.obs)


if __name__ == "__main__":
    try:
        if sys.argv[1] == "reference":
            reference(sys.argv[2], sys.argv[3])
        else:
            game, variant, inline, cap, kind, most, warps, ref = sys.argv[1:]
            main(game, variant, inline == "1", None if cap == "-" else int(cap), None if kind == "-" else kind, int(most), int(warps), ref)
    except Exception:
        say(sys.argv, "".join(traceback.format_exc())[-2500:])
