// Many games side by side, a thread a game: the last part of a source of which the rules of the game
// come first (archipel.envs.gpu_programs writes it). It is compiled for graphics cards, and for the
// processor, where threads of a warp take their turns, by tests.
//
// Before it: State, View, Lane, Stream, Setting, the rules ADVANCE, BEGIN_GAME, GO_ON, LEGAL, RECALL, PICK
// and observe_piece_0() and so on; SEATS, ACTIONS, BUFFER (room for legal actions), SIZE (numbers of an
// observation), PIECES and PIECE_WORDS (the most 32-bit words of one piece), Cell (what a number is
// written as) and the constants of archipel.envs.kernel.

#ifdef __CUDACC__
#define UNROLL_COPIES _Pragma("unroll 8")
typedef uint4 Sixteen;  // bytes, moved at once
#else
#define UNROLL_COPIES
struct Sixteen {
    uint32_t words[4];
};
#endif

const int WARP = 32;
const int WORDS = (ACTIONS + 31) / 32;
const int MASK_WORDS = (ACTIONS + 3) / 4;
const int STATE_ROW = ((int)sizeof(State) + 31) / 32 * 8;  // words, from sector to sector
const int PITCH = PIECE_WORDS + 1 - PIECE_WORDS % 2;  // odd: neighbouring threads use other banks
const int BITS_PITCH = WORDS + 1 - WORDS % 2;
const int ROW_WORDS = (SIZE * (int)sizeof(Cell) + 31) / 32 * 8;  // rows begin with a sector

// All that a batch is; rows of observations and masks are padded to whole words.
struct Games {
    uint32_t* states;  // rows of words; the first is the game before it is set up
    Lane* lanes;
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
    uint32_t* observations;
    uint32_t* masks;
};

// A game as a row of words, in the memory of all or in that of its thread alone, where the words of
// neighbouring threads lie side by side.
union Mine {
    State state;
    Sixteen sixteens[STATE_ROW / 4];
};

RULE Mine* row_of(const Games& g, int32_t row) {
    return (Mine*)(g.states + (int64_t)row * STATE_ROW);
}

RULE void copy_row(Mine* into, const Mine* from) {
    UNROLL_COPIES for (int32_t place = 0; place < STATE_ROW / 4; place++)
        into->sixteens[place] = from->sixteens[place];
}

// Ask for all of a row at once, so that the rules do not wait for it piece by piece.
RULE void fetch_ahead(const Mine* row) {
#ifdef __CUDACC__
#pragma unroll
    for (int32_t at = 0; at < (int32_t)sizeof(State); at += 32)
        asm volatile("prefetch.global.L1 [%0];" ::"l"((const char*)row + at));
#endif
}

// Play what was given to a lane, and what is then legal into `bits`; what its seat sees, and who it is.
// `mine` is where the game is played: where a rule begins another, the first row must be there.
RULE int32_t play_one(const Games& g, int32_t own, Mine* mine, View* seen, uint32_t* bits) {
    double gains[SEATS];
    Stream choices;
    int16_t buffer[BUFFER];
    Lane* lane = g.lanes + own;
    State* state = &mine->state;
    seen->of = state;
    int32_t seat = lane->seat, action = g.given[own];
    bool begins = action == BEGIN || lane->ended != GOING_ON;
#ifdef STAGED
    copy_row(mine, row_of(g, begins ? 0 : own + 1));
#else
    fetch_ahead(mine);
    if (begins) copy_row(mine, row_of(g, 0));
#endif
    uint32_t* allowed = g.allowed + (int64_t)own * WORDS;
    if (action >= 0) g.decisions[own] += 1;
#ifdef BOTS
    State whole, *thinking = &whole;  // bots try things out in what they see
#else
    View* thinking = seen;
#endif
    int32_t ended = ADVANCE(state, 0, thinking, lane, g.chances + own, &choices, g.setting,
                            g.bots, buffer, allowed, 0, action, gains, 0);
    int32_t seats = g.setting->seats;
    g.over[own] = ended != GOING_ON && ended != TOO_LONG;
    g.cut[own] = ended == TOO_LONG;
    g.rewards[own] = (float)gains[seat];
    for (int32_t other = 0; other < seats; other++)
        g.returns[(int64_t)own * seats + other] = gains[other];
    if (ended != GOING_ON && g.setting[1].autoreset == SAME_STEP) {
        copy_row(mine, row_of(g, 0));
        BEGIN_GAME(state, lane, g.chances + own, g.setting, g.bots, 0);
        GO_ON(state, thinking, lane, g.chances + own, &choices, g.setting, g.bots, buffer, BEGIN);
    }
    seat = lane->seat;
    g.asked[own] = seat;
    for (int32_t word = 0; word < WORDS; word++) bits[word] = 0;
    if (lane->ended == GOING_ON) {
        Bits into{bits};
        LEGAL(state, into);
    }
    for (int32_t word = 0; word < WORDS; word++) allowed[word] = bits[word];
#ifdef STAGED
    copy_row(row_of(g, own + 1), mine);
#endif
    RECALL(state, seat, seen);
    return seat;
}

// Threads of a warp write the words of a piece of each of their lanes, neighbours to neighbours. Most
// pieces have as many words as others: so it is one function for all of these.
template <int COUNT>
APART void write_piece(uint32_t* into, const int32_t* owns, const uint32_t* room, int32_t thread) {
    UNROLL_COPIES for (int32_t lane = 0; lane < WARP; lane++)
        for (int32_t word = thread; word < COUNT; word += WARP)
            into[(int64_t)owns[lane] * ROW_WORDS + word] = room[lane * PITCH + word];
}

// The same for what is legal, a byte an action.
RULE void write_masks(const Games& g, const int32_t* owns, const uint32_t* bits, int32_t thread) {
    UNROLL_COPIES for (int32_t place = thread; place < WARP * MASK_WORDS; place += WARP) {
        int32_t lane = place / MASK_WORDS, word = place % MASK_WORDS;
        uint32_t four = bits[lane * BITS_PITCH + (word >> 3)] >> (word & 7) * 4;
        g.masks[(int64_t)owns[lane] * MASK_WORDS + word] =
            (four & 1) | (four & 2) << 7 | (four & 4) << 14 | (four & 8) << 21;
    }
}

// Clear a thread's room but for the word that the piece before it began.
RULE void clear_piece(uint32_t* row, int32_t carried) {
    row[0] = carried > 0 ? row[carried] : 0;
    for (int32_t word = 1; word < PIECE_WORDS; word++) row[word] = 0;
}

#ifdef __CUDACC__

extern "C" __global__ void __launch_bounds__(THREADS)
step(uint32_t* states, Lane* lanes, Stream* chances, Setting* setting, const int64_t* bots,
     uint32_t* allowed, int32_t* given, const int32_t* order, int32_t* decisions, double* returns,
     float* rewards, bool* over, bool* cut, int32_t* asked, uint32_t* observations, uint32_t* masks,
     int32_t count) {
    __shared__ uint32_t rooms[THREADS * PITCH];
    __shared__ uint32_t legal[THREADS * BITS_PITCH];
    __shared__ int32_t owned[THREADS];
    Games g = {states, lanes, chances, setting, bots, allowed, given, order, decisions, returns,
               rewards, over, cut, asked, observations, masks};
    int32_t index = blockIdx.x * THREADS + threadIdx.x;
    if (index >= count) return;  // whole warps
    int32_t thread = threadIdx.x % WARP, warp = threadIdx.x - thread;
    int32_t own = order[index];
    owned[threadIdx.x] = own;
#ifdef STAGED
    Mine here, *mine = &here;
#else
    Mine* mine = row_of(g, own + 1);
#endif
    View seen{};
    int32_t seat = play_one(g, own, mine, &seen, legal + threadIdx.x * BITS_PITCH);
    __syncwarp();
    write_masks(g, owned + warp, legal + warp * BITS_PITCH, thread);
    uint32_t* room = rooms + threadIdx.x * PITCH;
#define PIECE(number, first, count, carried)                                              \
    clear_piece(room, carried);                                                           \
    observe_piece_##number(&seen, seat, room);                                            \
    __syncwarp();                                                                         \
    write_piece<count>(observations + first, owned + warp, rooms + warp * PITCH, thread); \
    __syncwarp();
    ALL_PIECES
}

extern "C" __global__ void seed(Lane* lanes, const uint64_t* seeds, int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own >= count) return;
    Lane* lane = lanes + own;
    lane->seed = seeds[0] + (uint64_t)own;
    lane->game = -1;
    lane->key = 0;
    lane->shift = lane->decisions = lane->seat = lane->outsider = 0;
    lane->ended = OVER;
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
extern "C" __global__ void pick(Lane* lanes, Setting* setting, uint32_t* allowed, int32_t* given,
                                int32_t count) {
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) {
        Stream choices;
        given[own] = PICK(lanes + own, setting, allowed + (int64_t)own * WORDS, 0, &choices);
    }
}

// Lanes of like actions next to each other: threads that go together are quickest where they do the
// same. First how many there are of each action, or that begin; then where each group begins; then
// every lane into its group, in whatever order.
const int KEYS = ACTIONS + 2;

extern "C" __global__ void clear_groups(int32_t* groups) {
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x) groups[key] = 0;
}

extern "C" __global__ void count_groups(const int32_t* given, int32_t* groups, int32_t count) {
    __shared__ int32_t here[KEYS];
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x) here[key] = 0;
    __syncthreads();
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own < count) atomicAdd(here + (given[own] < -1 ? 0 : given[own] + 1), 1);
    __syncthreads();
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x)
        if (here[key] != 0) atomicAdd(groups + key, here[key]);
}

extern "C" __global__ void begin_groups(int32_t* groups) {  // one block
    __shared__ int32_t here[KEYS];
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x) here[key] = groups[key];
    __syncthreads();
    if (threadIdx.x == 0) {
        int32_t total = 0;
        for (int32_t key = 0; key < KEYS; key++) {
            int32_t number = here[key];
            here[key] = total;
            total += number;
        }
    }
    __syncthreads();
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x) groups[key] = here[key];
}

extern "C" __global__ void sort_lanes(const int32_t* given, int32_t* groups, int32_t* order,
                                      int32_t count) {
    __shared__ int32_t here[KEYS];
    __shared__ int32_t begin[KEYS];
    for (int32_t key = threadIdx.x; key < KEYS; key += blockDim.x) here[key] = 0;
    __syncthreads();
    int32_t own = blockIdx.x * blockDim.x + threadIdx.x, key = 0, place = 0;
    if (own < count) {
        key = given[own] < -1 ? 0 : given[own] + 1;
        place = atomicAdd(here + key, 1);
    }
    __syncthreads();
    for (int32_t other = threadIdx.x; other < KEYS; other += blockDim.x)
        if (here[other] != 0) begin[other] = atomicAdd(groups + other, here[other]);
    __syncthreads();
    if (own < count) order[begin[key] + place] = own;
}

#else

// As many lanes as there are, warp by warp; threads of a warp take their turns.
static void step_all(const Games& g, int32_t count) {
#ifdef STAGED
    static Mine here[WARP];
#endif
    static View seen[WARP];
    static uint32_t rooms[WARP * PITCH], legal[WARP * BITS_PITCH];
    int32_t owned[WARP], seats[WARP];
    for (int32_t warp = 0; warp < count; warp += WARP) {
        for (int32_t thread = 0; thread < WARP; thread++) owned[thread] = g.order[warp + thread];
        for (int32_t thread = 0; thread < WARP; thread++) {
#ifdef STAGED
            Mine* mine = here + thread;
#else
            Mine* mine = row_of(g, owned[thread] + 1);
#endif
            seats[thread] =
                play_one(g, owned[thread], mine, seen + thread, legal + thread * BITS_PITCH);
        }
        for (int32_t thread = 0; thread < WARP; thread++) write_masks(g, owned, legal, thread);
#define PIECE(number, first, count, carried)                                              \
    for (int32_t thread = 0; thread < WARP; thread++) {                                   \
        clear_piece(rooms + thread * PITCH, carried);                                     \
        observe_piece_##number(seen + thread, seats[thread], rooms + thread * PITCH);      \
    }                                                                                     \
    for (int32_t thread = 0; thread < WARP; thread++)                                     \
        write_piece<count>(g.observations + first, owned, rooms, thread);
        ALL_PIECES
    }
}

extern "C" void step(uint32_t* states, Lane* lanes, Stream* chances, Setting* setting,
                     const int64_t* bots, uint32_t* allowed, int32_t* given, const int32_t* order,
                     int32_t* decisions, double* returns, float* rewards, bool* over, bool* cut,
                     int32_t* asked, uint32_t* observations, uint32_t* masks, int32_t count) {
    step_all({states, lanes, chances, setting, bots, allowed, given, order, decisions, returns,
              rewards, over, cut, asked, observations, masks}, count);
}

extern "C" void pick(Lane* lanes, Setting* setting, uint32_t* allowed, int32_t* given,
                     int32_t count) {
    for (int32_t own = 0; own < count; own++) {
        Stream choices;
        given[own] = PICK(lanes + own, setting, allowed + (int64_t)own * WORDS, 0, &choices);
    }
}

#endif
