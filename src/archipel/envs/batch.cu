// Many games side by side: the last part of a source of which the rules of the game come first
// (archipel.envs.gpu_source writes it). It is compiled for graphics cards, and for the processor,
// where threads take their turns, by tests.
//
// A thread plays a game; then a team of threads writes what is seen in some games, each an entry of
// one of them after the other, so that no thread waits for memory that only it has asked for.
//
// Before it: State, View, EnvState, Stream, Setting, the rules ADVANCE, BEGIN_GAME, GO_ON, LEGAL, RECALL and
// PICK, and for everything that is seen tell_0() and so on; SEATS, ACTIONS, BUFFER (room for legal
// actions), SIZE (numbers of an observation), Cell (what a number is written as), ROW (bytes of a View,
// in whole sectors), THREADS of a block, and how many BLOCKS fit on a multiprocessor, TEAM (games of a
// team), OBSERVERS (its threads) and how many TEAMS fit on a multiprocessor, GROUPS that envs are sorted
// into and SUMMERS (threads of one block, a power of two) that add them up, and the constants of
// archipel.envs.batch_kernel.

#ifdef __CUDACC__
typedef uint4 Sixteen;  // bytes, moved at once
typedef uint2 Eight;
#else
struct Sixteen {
    uint32_t words[4];
};
#endif

const int WARP = 32;
const int WORDS = (ACTIONS + 31) / 32;
const int MASK_WORDS = (ACTIONS + 3) / 4;
const int ROW_SIXTEENS = ROW / 16;
const int SEEN_SIXTEENS = (SIZE * (int)sizeof(Cell) + 31) / 32 * 2;  // rows begin with a sector

// From row to row in the memory of a block: so much that the same place of neighbouring rows lies in
// other banks.
const int BITS_PITCH = WORDS + 1 - WORDS % 2;
const int GAME_PITCH = ROW / 8 + 1 - ROW / 8 % 2;
const int ROW_PITCH = (ROW_SIXTEENS + 6) / 8 * 8 + 1;
const int SEEN_PITCH = (SEEN_SIXTEENS + 6) / 8 * 8 + 1;

static_assert(sizeof(View) <= ROW && ROW % 32 == 0, "a view is a row of whole sectors");
static_assert(WARP % TEAM == 0 && OBSERVERS % WARP == 0, "all teams and warps are whole");

// All that a batch is; rows of observations and masks are padded to whole words.
struct Games {
    Sixteen* states;  // rows, each a game and what is seen of it; the first before it is set up
    EnvState* envs;
    Stream* chances;
    Setting* setting;  // the second says whether another game begins at once
    const int64_t* bots;
    uint32_t* allowed;
    int32_t* given;
    const int32_t* order;
    int32_t* decisions;
    double* returns;
    float* rewards;
    bool* over;
    bool* cut;
    int32_t* asked;
};

RULE View* row_of(const Games& g, int32_t row) {
    return (View*)(g.states + (int64_t)row * ROW_SIXTEENS);
}

RULE bool begins_another(const Games& g, int32_t own) {
    return g.given[own] == BEGIN || g.envs[own].ended != GOING_ON;
}

// Play what was given to a env, and what is then legal; `bits` is room for that. `seen` is where
// the game is played: where another begins, the first row must be there.
RULE void play_one(const Games& g, int32_t own, View* seen, uint32_t* bits) {
    double gains[SEATS];
    Stream choices;
    int16_t buffer[BUFFER];
    EnvState* env = g.envs + own;
    State* state = seen->of;
    int32_t seat = env->seat, action = g.given[own];
    uint32_t* allowed = g.allowed + (int64_t)own * WORDS;
    if (action >= 0) g.decisions[own] += 1;
#ifdef BOTS
    State whole, *thinking = &whole;  // bots try things out in what they see
#else
    View* thinking = seen;
#endif
    int32_t ended = ADVANCE(state, 0, thinking, env, g.chances + own, &choices, g.setting,
                            g.bots, buffer, allowed, 0, action, gains, 0);
    int32_t seats = g.setting->seats;
    g.over[own] = ended != GOING_ON && ended != TOO_LONG;
    g.cut[own] = ended == TOO_LONG;
    g.rewards[own] = (float)gains[seat];
    for (int32_t other = 0; other < seats; other++)
        g.returns[(int64_t)own * seats + other] = gains[other];
    if (ended != GOING_ON && g.setting[1].autoreset == SAME_STEP) {
        *seen = *row_of(g, 0);
        BEGIN_GAME(state, env, g.chances + own, g.setting, g.bots, 0);
        GO_ON(state, thinking, env, g.chances + own, &choices, g.setting, g.bots, buffer, BEGIN);
    }
    seat = env->seat;
    g.asked[own] = seat;
    for (int32_t word = 0; word < WORDS; word++) bits[word] = 0;
    if (env->ended == GOING_ON) {
        Bits into{bits};
        LEGAL(state, into);
    }
    for (int32_t word = 0; word < WORDS; word++) allowed[word] = bits[word];
    RECALL(state, seat, seen);
}

// What a team has at hand: the games it looks at, and what is seen in them.
struct Team {
    Sixteen games[TEAM * ROW_PITCH];
    Sixteen seen[TEAM * SEEN_PITCH];
    uint32_t allowed[TEAM * WORDS];
    int32_t seats[TEAM];
};

// Bring the games of a team, the first of which is `first`, and clear the room for what is seen.
RULE void gather(Team& team, const Sixteen* states, const uint32_t* allowed, const int32_t* asked,
                 int32_t first, int32_t thread) {
    for (int32_t game = thread / WARP; game < TEAM; game += OBSERVERS / WARP) {
        const Sixteen* row = states + (int64_t)(1 + first + game) * ROW_SIXTEENS;
        for (int32_t place = thread % WARP; place < ROW_SIXTEENS; place += WARP)
            team.games[game * ROW_PITCH + place] = row[place];
        for (int32_t place = thread % WARP; place < SEEN_SIXTEENS; place += WARP)
            team.seen[game * SEEN_PITCH + place] = Sixteen{};
    }
    for (int32_t place = thread; place < TEAM * WORDS; place += OBSERVERS)
        team.allowed[place] = allowed[(int64_t)first * WORDS + place];
    if (thread < TEAM) team.seats[thread] = asked[first + thread];
}

// All that is seen: neighbouring threads tell the same entry of other games, and then the next ones.
// Where there are few entries the next kind goes on with the threads that had none.
RULE void tell(Team& team, int32_t thread) {
    const int32_t AT_ONCE = OBSERVERS / TEAM, IN_A_WARP = WARP / TEAM;
    int32_t game = thread % TEAM, seat = team.seats[game], place = thread / TEAM;
    View* view = (View*)(team.games + game * ROW_PITCH);
    Out out{(Cell*)(team.seen + game * SEEN_PITCH)};
#define ENTRIES(number, count, before)                                                          \
    for (int32_t entry = (place + AT_ONCE - (before) % AT_ONCE / IN_A_WARP * IN_A_WARP) % AT_ONCE; \
         entry < count; entry += AT_ONCE)                                                       \
        tell_##number(view, seat, entry, out);
    ALL_ENTRIES
}

// Put what is seen where it belongs, and what is legal, a byte an action.
RULE void write_out(const Team& team, Sixteen* observations, uint32_t* masks, int32_t first,
                    int32_t thread) {
    for (int32_t game = thread / WARP; game < TEAM; game += OBSERVERS / WARP) {
        Sixteen* row = observations + (int64_t)(first + game) * SEEN_SIXTEENS;
        for (int32_t place = thread % WARP; place < SEEN_SIXTEENS; place += WARP)
            row[place] = team.seen[game * SEEN_PITCH + place];
    }
    for (int32_t place = thread; place < TEAM * MASK_WORDS; place += OBSERVERS) {
        int32_t game = place / MASK_WORDS, word = place - game * MASK_WORDS;
        uint32_t four = team.allowed[game * WORDS + (word >> 3)] >> (word & 7) * 4 & 15;
        // Each of the four bits ends up in a byte of its own.
        masks[(int64_t)first * MASK_WORDS + place] = four * 0x00204081u & 0x01010101u;
    }
}

#ifdef __CUDACC__

// Into the memory of a block, without waiting for it.
RULE void bring(Eight* into, const Eight* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(into)),
                 "l"(from));
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
play(Sixteen* states, EnvState* envs, Stream* chances, Setting* setting, const int64_t* bots,
     uint32_t* allowed, int32_t* given, const int32_t* order, int32_t* decisions, double* returns,
     float* rewards, bool* over, bool* cut, int32_t* asked, int32_t count) {
    __shared__ uint32_t legal[THREADS * BITS_PITCH];
    int32_t index = blockIdx.x * THREADS + threadIdx.x;
    if (index >= count) return;
    Games g = {states, envs, chances, setting, bots, allowed, given, order, decisions, returns,
               rewards, over, cut, asked};
    int32_t own = order[index], source = begins_another(g, own) ? 0 : own + 1;
    uint32_t* bits = legal + threadIdx.x * BITS_PITCH;
    // Threads of a warp bring the games of each of them, and take them back, neighbours next to
    // neighbours.
    __shared__ Eight games[THREADS * GAME_PITCH];
    int32_t thread = threadIdx.x % WARP;
    Eight* mine = games + threadIdx.x * GAME_PITCH;
    Eight* ours = mine - thread * GAME_PITCH;
    for (int32_t game = 0; game < WARP; game++) {
        const Eight* from = (const Eight*)row_of(g, __shfl_sync(~0u, source, game));
        for (int32_t place = thread; place < ROW / 8; place += WARP)
            bring(ours + game * GAME_PITCH + place, from + place);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    play_one(g, own, (View*)mine, bits);
    __syncwarp();
    for (int32_t game = 0; game < WARP; game++) {
        Eight* into = (Eight*)row_of(g, __shfl_sync(~0u, own, game) + 1);
        for (int32_t place = thread; place < ROW / 8; place += WARP)
            into[place] = ours[game * GAME_PITCH + place];
    }
}

extern "C" __global__ void __launch_bounds__(OBSERVERS, TEAMS)
look(const Sixteen* states, const uint32_t* allowed, const int32_t* asked, Sixteen* observations,
     uint32_t* masks) {
    __shared__ Team team;
    int32_t first = blockIdx.x * TEAM;
    gather(team, states, allowed, asked, first, threadIdx.x);
    __syncthreads();
    tell(team, threadIdx.x);
    __syncthreads();
    write_out(team, observations, masks, first, threadIdx.x);
}

extern "C" __global__ void seed(EnvState* envs, const uint64_t* seeds, int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own >= count) return;
    EnvState* env = envs + own;
    env->seed = seeds[0] + (uint64_t)own;
    env->game = -1;
    env->key = 0;
    env->seat_offset = env->decisions = env->seat = env->outsider = 0;
    env->ended = OVER;
}

// Actions from outside: what cannot be one is only illegal.
template <class T> __device__ void take_all(const T* actions, int32_t* given, int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) {
        T action = actions[own];
        given[own] = action >= 0 && action < ACTIONS ? (int32_t)action : ACTIONS;
    }
}
extern "C" __global__ void take_int32(const int32_t* actions, int32_t* given, int32_t count) {
    take_all(actions, given, count);
}
extern "C" __global__ void take_int64(const int64_t* actions, int32_t* given, int32_t count) {
    take_all(actions, given, count);
}

// Actions at random, each equally likely.
extern "C" __global__ void pick(EnvState* envs, Setting* setting, uint32_t* allowed, int32_t* given,
                                int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) {
        Stream choices;
        given[own] = PICK(envs + own, setting, allowed + (int64_t)own * WORDS, 0, &choices);
    }
}

// TensorEnvs of like actions next to each other: threads that go together are quickest where they do the
// same. What an action means depends on what is asked, and that shows in what else is legal: in how
// far up the last legal action is. First how many envs there are of each group; then where it
// begins; then every env into its group, in whatever order.
RULE int32_t group_of(int32_t action, const uint32_t* allowed) {
    if (action < 0 || action >= ACTIONS) return 0;
    int32_t word = WORDS - 1;
    while (word > 0 && allowed[word] == 0) word--;
    int32_t last = word * 32 + 31 - __clz(allowed[word] | 1);
    int32_t bucket = 32 - __clz(last);
    return 1 + bucket * ACTIONS + action;
}

extern "C" __global__ void clear_groups(int32_t* groups) {
    for (int32_t group = threadIdx.x; group < GROUPS; group += blockDim.x) groups[group] = 0;
}

extern "C" __global__ void count_groups(const int32_t* given, const uint32_t* allowed,
                                        int32_t* groups, int32_t* joined, int32_t count) {
    __shared__ int32_t here[GROUPS];
    for (int32_t group = threadIdx.x; group < GROUPS; group += blockDim.x) here[group] = 0;
    __syncthreads();
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) {
        int32_t group = group_of(given[own], allowed + (int64_t)own * WORDS);
        joined[own] = group;
        atomicAdd(here + group, 1);
    }
    __syncthreads();
    for (int32_t group = threadIdx.x; group < GROUPS; group += blockDim.x)
        if (here[group] != 0) atomicAdd(groups + group, here[group]);
}

extern "C" __global__ void begin_groups(int32_t* groups) {
    const int32_t EACH = (GROUPS + SUMMERS - 1) / SUMMERS;
    __shared__ int32_t sums[SUMMERS];
    int32_t first = threadIdx.x * EACH, end = min(first + EACH, GROUPS), sum = 0;
    for (int32_t group = first; group < end; group++) sum += groups[group];
    sums[threadIdx.x] = sum;
    for (int32_t step = 1; step < SUMMERS; step *= 2) {
        __syncthreads();
        int32_t before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
    }
    int32_t place = sums[threadIdx.x] - sum;
    for (int32_t group = first; group < end; group++) {
        int32_t number = groups[group];
        groups[group] = place;
        place += number;
    }
}

extern "C" __global__ void sort_envs(const int32_t* joined, int32_t* groups, int32_t* order,
                                      int32_t count) {
    __shared__ int32_t here[GROUPS];
    for (int32_t group = threadIdx.x; group < GROUPS; group += blockDim.x) here[group] = 0;
    __syncthreads();
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x, group = 0, place = 0;
    if (own < count) {
        group = joined[own];
        place = atomicAdd(here + group, 1);
    }
    __syncthreads();
    for (int32_t other = threadIdx.x; other < GROUPS; other += blockDim.x)
        if (here[other] != 0) here[other] = atomicAdd(groups + other, here[other]);
    __syncthreads();
    if (own < count) order[here[group] + place] = own;
}

#else

// As many envs as there are, one after the other.
extern "C" void play(Sixteen* states, EnvState* envs, Stream* chances, Setting* setting,
                     const int64_t* bots, uint32_t* allowed, int32_t* given, const int32_t* order,
                     int32_t* decisions, double* returns, float* rewards, bool* over, bool* cut,
                     int32_t* asked, int32_t count) {
    static uint32_t legal[WORDS];
    Games g = {states, envs, chances, setting, bots, allowed, given, order, decisions, returns,
               rewards, over, cut, asked};
    for (int32_t index = 0; index < count; index++) {
        int32_t own = order[index];
        View* mine = row_of(g, own + 1);
        if (begins_another(g, own)) *mine = *row_of(g, 0);
        play_one(g, own, mine, legal);
    }
}

extern "C" void look(const Sixteen* states, const uint32_t* allowed, const int32_t* asked,
                     Sixteen* observations, uint32_t* masks, int32_t count) {
    static Team team;
    for (int32_t first = 0; first < count; first += TEAM) {
        for (int32_t thread = 0; thread < OBSERVERS; thread++)
            gather(team, states, allowed, asked, first, thread);
        for (int32_t thread = 0; thread < OBSERVERS; thread++) tell(team, thread);
        for (int32_t thread = 0; thread < OBSERVERS; thread++)
            write_out(team, observations, masks, first, thread);
    }
}

extern "C" void pick(EnvState* envs, Setting* setting, uint32_t* allowed, int32_t* given,
                     int32_t count) {
    for (int32_t own = 0; own < count; own++) {
        Stream choices;
        given[own] = PICK(envs + own, setting, allowed + (int64_t)own * WORDS, 0, &choices);
    }
}

#endif
