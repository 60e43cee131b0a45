// Parallel games: the last part of a source that archipel.envs.gpu_source assembles, after the rules
// of the game. It is compiled for GPUs and, by tests, for the CPU, where one thread does all the work.
//
// One thread plays one game. Then a team of threads writes the observations of a few games: adjacent
// threads write the same entry of different games, so that memory accesses coalesce.
//
// Defined before this file: State, View, EnvState, Stream, Setting; the rules ADVANCE, BEGIN_GAME,
// GO_ON, LEGAL, RECALL and PICK, and tell_0() and so on, which write the parts of an observation;
// SEATS, ACTIONS, BUFFER (size of a list of legal actions), SIZE (numbers of an observation), Cell
// (type of these numbers), ROW (bytes of a View, in whole sectors), THREADS per block, BLOCKS per
// multiprocessor, TEAM (games of a team), OBSERVERS (threads of a team), TEAMS per multiprocessor,
// GROUPS (of environments with similar actions), SUMMERS (threads of the one block that sums their
// sizes, a power of two), and constants of archipel.envs.batch_kernel.

#ifdef __CUDACC__
typedef uint4 Sixteen;  // bytes, moved together
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
const int SEEN_SIXTEENS = (SIZE * (int)sizeof(Cell) + 31) / 32 * 2;  // rows begin at a sector

// Distance between rows in shared memory, chosen so that equal places of adjacent rows are in
// different banks.
const int BITS_PITCH = WORDS + 1 - WORDS % 2;
const int GAME_PITCH = ROW / 8 + 1 - ROW / 8 % 2;
const int ROW_PITCH = (ROW_SIXTEENS + 6) / 8 * 8 + 1;
const int SEEN_PITCH = (SEEN_SIXTEENS + 6) / 8 * 8 + 1;

static_assert(sizeof(View) <= ROW && ROW % 32 == 0, "a view is a row of whole sectors");
static_assert(WARP % TEAM == 0 && OBSERVERS % WARP == 0, "all teams and warps are whole");

// The arrays of a batch; rows of observations and masks are padded to whole words.
struct Games {
    Sixteen* states;  // rows of a game and a view of it; row 0 is the state before set-up
    EnvState* envs;
    Stream* chances;
    Setting* setting;  // the second one has the autoreset mode
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

// Play the action given to an environment and write its next legal actions, with `bits` as a buffer.
// The game is played in `seen`, which must hold row 0 if another game begins.
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
    State whole, *thinking = &whole;  // bots try actions in their view
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

// Shared memory of a team: its games and their observations.
struct Team {
    Sixteen games[TEAM * ROW_PITCH];
    Sixteen seen[TEAM * SEEN_PITCH];
    uint32_t allowed[TEAM * WORDS];
    int32_t seats[TEAM];
};

// Load the games of a team from number `first` on, and clear the observations.
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

// Write all observations: adjacent threads write the same entry of different games, then the next
// entries. If a part has few entries, the idle threads begin with the next part.
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

// Store the observations, and the masks with one byte per action.
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

// Copy to shared memory asynchronously.
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
    // The threads of a warp load and store their games together, so that accesses coalesce.
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

// Take actions from outside; numbers out of range become an illegal action.
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

// Draw uniformly random legal actions.
extern "C" __global__ void pick(EnvState* envs, Setting* setting, uint32_t* allowed, int32_t* given,
                                int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) {
        Stream choices;
        given[own] = PICK(envs + own, setting, allowed + (int64_t)own * WORDS, 0, &choices);
    }
}

// Sort environments so that similar actions are adjacent: the threads of a warp are fastest if they
// take the same branches. The meaning of an action depends on the phase, which shows in the number of
// the last legal action. A counting sort: count the groups, sum their sizes, place the environments.
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

// One environment after the other.
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
