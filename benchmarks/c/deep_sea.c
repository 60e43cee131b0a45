/* Deep Sea Adventure, hand-written in C, for comparison by `python -m benchmarks`.
 *
 * The same algorithm as src/archipel/rules/deep_sea, in the same order and with the same chance:
 * it has to end every game as the rules do, which is checked before any ratio is printed.
 */
#include <stdbool.h>
#include <stdint.h>

enum { SEATS = 6, HELD = 6, LEVELS = 4, CHIPS = 32, LEVEL_CHIPS = 8, LINE = 43 };
enum { ROUNDS = 3, FULL_AIR = 25, PILE = 3, DICE = 2, DIE_RESULTS = 3 };
enum { THROW, SEARCH, LAY, OVER };
enum { DIVE, TURN_BACK, SWIM_ON, NOTHING, TAKE, PUT, LAY_DOWN = PUT + HELD };
enum { SUBMARINE = -1, NOBODY = -1, UNKNOWN = -1, DISC = 0 };
enum { AS_TAKEN, AS_CHOSEN, AS_PILED };

typedef struct {
    int8_t seats, drop_order, phase, to_move, round_number, starter, air, line_length;
    uint32_t line[LINE];
    int8_t value[CHIPS];
    int8_t place[SEATS], turned[SEATS], home[SEATS], load[SEATS];
    uint32_t hand[SEATS][HELD];
    uint32_t treasure[SEATS];
    int16_t points[SEATS];
    int8_t stirred, idle_turns, pile_room;
} State;

/* ---- chance ---------------------------------------------------------------------------------- */

typedef struct {
    uint64_t key, counter;
} Stream;

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;
static const uint64_t MIX_FIRST = 0xBF58476D1CE4E5B9u;
static const uint64_t MIX_SECOND = 0x94D049BB133111EBu;

static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * MIX_FIRST;
    word = (word ^ (word >> 27)) * MIX_SECOND;
    return word ^ (word >> 31);
}

static uint64_t stream_key(uint64_t seed, uint64_t index) {
    return mix(mix(seed + GOLDEN) ^ mix(index ^ MIX_FIRST));
}

static int draw(Stream *stream, int n) {
    stream->counter++;
    return (int)((mix(stream->key + stream->counter * GOLDEN) >> 32) * (uint64_t)n >> 32);
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static int nth_bit(int bits, int n) {
    for (int position = 0;; position++) {
        if (bits >> position & 1) {
            if (n == 0) return position;
            n--;
        }
    }
}

static void deal_unseen(State *s, Stream *chance) {
    for (int level = 0; level < LEVELS; level++) {
        int first = level * LEVEL_CHIPS, lowest = level * 4;
        int unseen = (1 << LEVEL_CHIPS) - 1, remaining = LEVEL_CHIPS;
        for (int chip = first; chip < first + LEVEL_CHIPS; chip++) {
            if (s->value[chip] == UNKNOWN) continue;
            int bit = (s->value[chip] - lowest) * 2;
            if ((unseen >> bit & 1) == 0) bit++;
            unseen ^= 1 << bit;
            remaining--;
        }
        for (int chip = first; chip < first + LEVEL_CHIPS; chip++) {
            if (s->value[chip] != UNKNOWN) continue;
            int bit = nth_bit(unseen, draw(chance, remaining));
            unseen ^= 1 << bit;
            remaining--;
            s->value[chip] = (int8_t)(lowest + bit / 2);
        }
    }
}

static void start_round(State *s, int first) {
    s->phase = THROW;
    s->to_move = (int8_t)first;
    s->starter = NOBODY;
    s->air = FULL_AIR;
    s->idle_turns = s->stirred = s->pile_room = 0;
    for (int diver = 0; diver < s->seats; diver++) {
        s->place[diver] = SUBMARINE;
        s->turned[diver] = s->home[diver] = s->load[diver] = 0;
        for (int slot = 0; slot < HELD; slot++) s->hand[diver][slot] = DISC;
    }
}

static void set_up(State *s, Stream *chance) {
    s->line_length = CHIPS;
    for (int chip = 0; chip < CHIPS; chip++) {
        s->line[chip] = (uint32_t)1 << chip;
        s->value[chip] = UNKNOWN;
    }
    deal_unseen(s, chance);
    start_round(s, s->starter == NOBODY ? draw(chance, s->seats) : s->starter);
}

/* ---- the end of a round ---------------------------------------------------------------------- */

static int farthest_out(const State *s) {
    int farthest = NOBODY, depth = SUBMARINE;
    for (int diver = 0; diver < s->seats; diver++) {
        if (s->place[diver] > depth) {
            farthest = diver;
            depth = s->place[diver];
        }
    }
    return farthest;
}

static int divers_not_home(const State *s) {
    int count = 0;
    for (int diver = 0; diver < s->seats; diver++) count += s->home[diver] == 0;
    return count;
}

static uint32_t leave_hand(State *s, int diver, int slot) {
    uint32_t unit = s->hand[diver][slot];
    s->load[diver]--;
    for (int later = slot; later < s->load[diver]; later++)
        s->hand[diver][later] = s->hand[diver][later + 1];
    s->hand[diver][s->load[diver]] = DISC;
    return unit;
}

static void keep_treasure(State *s, int diver) {
    while (s->load[diver] > 0) {
        uint32_t unit = leave_hand(s, diver, 0);
        s->treasure[diver] |= unit;
        for (int chip = 0; chip < CHIPS; chip++)
            if (unit >> chip & 1) s->points[diver] += s->value[chip];
    }
}

static void lay_down(State *s, int diver, int slot) {
    if (s->pile_room == 0) {
        s->line[s->line_length++] = DISC;
        s->pile_room = PILE;
    }
    s->line[s->line_length - 1] |= leave_hand(s, diver, slot);
    s->pile_room--;
}

static void close_gaps(State *s) {
    int kept = 0;
    for (int space = 0; space < s->line_length; space++)
        if (s->line[space] != DISC) s->line[kept++] = s->line[space];
    for (int space = kept; space < s->line_length; space++) s->line[space] = DISC;
    s->line_length = (int8_t)kept;
}

static void start_next_round(State *s) {
    s->pile_room = 0;
    if (s->round_number == ROUNDS - 1) {
        s->phase = OVER;
        return;
    }
    close_gaps(s);
    if (s->line_length == 0) {
        s->phase = OVER;
        return;
    }
    s->round_number++;
    start_round(s, s->starter);
}

static int chips_of_level(uint32_t chips, int level) {
    int count = 0;
    for (int chip = level * LEVEL_CHIPS; chip < (level + 1) * LEVEL_CHIPS; chip++)
        count += chips >> chip & 1;
    return count;
}

static bool order_matters(const State *s, int diver) {
    if (s->load[diver] <= (s->pile_room > 0 ? s->pile_room : PILE)) return false;
    const uint32_t *hand = s->hand[diver];
    for (int slot = 1; slot < s->load[diver]; slot++)
        for (int level = 0; level < LEVELS; level++)
            if (chips_of_level(hand[slot], level) != chips_of_level(hand[0], level)) return true;
    return false;
}

static bool chooses_next(const State *s, int diver) {
    if (s->drop_order == AS_TAKEN || s->round_number == ROUNDS - 1) return false;
    if (s->drop_order == AS_CHOSEN) return s->load[diver] > 1;
    return order_matters(s, diver);
}

static void lose_units(State *s) {
    for (int diver = farthest_out(s); diver != NOBODY; diver = farthest_out(s)) {
        if (chooses_next(s, diver)) {
            s->phase = LAY;
            s->to_move = (int8_t)diver;
            return;
        }
        while (s->load[diver] > 0) lay_down(s, diver, 0);
        s->place[diver] = SUBMARINE;
    }
    start_next_round(s);
}

static void end_round(State *s) {
    for (int diver = 0; diver < s->seats; diver++)
        if (s->home[diver]) keep_treasure(s, diver);
    int farthest = farthest_out(s);
    if (farthest != NOBODY) s->starter = (int8_t)farthest;
    s->pile_room = 0;
    lose_units(s);
}

/* ---- the turn -------------------------------------------------------------------------------- */

static int legal(const State *s, int64_t *actions) {
    int diver = s->to_move, load = s->load[diver];
    if (s->phase == THROW) {
        if (s->turned[diver]) {
            actions[0] = SWIM_ON;
            return 1;
        }
        actions[0] = DIVE;
        if (load == 0) return 1;
        actions[1] = TURN_BACK;
        return 2;
    }
    if (s->phase == SEARCH) {
        actions[0] = NOTHING;
        if (s->line[s->place[diver]] != DISC) {
            actions[1] = TAKE;
            return 2;
        }
        if (s->turned[diver] && load == 1) return 1;
        for (int slot = 0; slot < load; slot++) actions[1 + slot] = PUT + slot;
        return 1 + load;
    }
    if (s->phase == LAY) {
        for (int slot = 0; slot < load; slot++) actions[slot] = LAY_DOWN + slot;
        return load;
    }
    return 0;
}

static bool is_occupied(const State *s, int space) {
    for (int diver = 0; diver < s->seats; diver++)
        if (s->place[diver] == space) return true;
    return false;
}

static void swim_out(State *s, int diver, int steps) {
    for (int space = s->place[diver] + 1; steps > 0 && space < s->line_length; space++) {
        if (is_occupied(s, space)) continue;
        s->place[diver] = (int8_t)space;
        s->stirred = 1;
        steps--;
    }
}

static void swim_home(State *s, int diver, int steps) {
    for (int space = s->place[diver] - 1; steps > 0; space--) {
        if (space == SUBMARINE) {
            s->place[diver] = SUBMARINE;
            s->home[diver] = 1;
            s->starter = (int8_t)diver;
            return;
        }
        if (is_occupied(s, space)) continue;
        s->place[diver] = (int8_t)space;
        steps--;
    }
}

static void throw_and_move(State *s, int diver, Stream *chance) {
    int steps = -s->load[diver];
    for (int die = 0; die < DICE; die++) steps += 1 + draw(chance, DIE_RESULTS);
    if (s->turned[diver])
        swim_home(s, diver, steps);
    else
        swim_out(s, diver, steps);
}

static bool may_search(const State *s, int diver) {
    if (s->place[diver] == SUBMARINE) return false;
    if (s->line[s->place[diver]] != DISC) return true;
    return s->load[diver] > s->turned[diver];
}

static void end_turn(State *s) {
    s->idle_turns = s->stirred ? 0 : s->idle_turns + 1;
    if (s->air == 0 || s->idle_turns >= divers_not_home(s)) {
        end_round(s);
        return;
    }
    s->phase = THROW;
    do s->to_move = (int8_t)(s->to_move + 1 < s->seats ? s->to_move + 1 : 0);
    while (s->home[s->to_move]);
}

static void apply(State *s, int64_t action, Stream *chance) {
    int diver = s->to_move;
    if (s->phase == THROW) {
        int air = s->air - s->load[diver];
        s->air = (int8_t)(air > 0 ? air : 0);
        s->stirred = s->load[diver] > 0;
        if (action == TURN_BACK) s->turned[diver] = 1;
        throw_and_move(s, diver, chance);
        if (may_search(s, diver))
            s->phase = SEARCH;
        else
            end_turn(s);
    } else if (s->phase == SEARCH) {
        int space = s->place[diver];
        if (action == TAKE) {
            s->hand[diver][s->load[diver]++] = s->line[space];
            s->line[space] = DISC;
            s->stirred = 1;
        } else if (action >= PUT) {
            s->line[space] = leave_hand(s, diver, (int)action - PUT);
        }
        end_turn(s);
    } else {
        lay_down(s, diver, (int)action - LAY_DOWN);
        lose_units(s);
    }
}

/* ---- the end of the game --------------------------------------------------------------------- */

static bool is_ahead(const State *s, int seat, int other) {
    if (s->points[seat] != s->points[other]) return s->points[seat] > s->points[other];
    for (int level = LEVELS - 1; level >= 0; level--) {
        int mine = chips_of_level(s->treasure[seat], level);
        int theirs = chips_of_level(s->treasure[other], level);
        if (mine != theirs) return mine > theirs;
    }
    return false;
}

static int rank(const State *s, int seat) {
    int ahead = 0;
    for (int other = 0; other < s->seats; other++) ahead += is_ahead(s, other, seat);
    return ahead;
}

/* ---- what is measured: benchmarks/kernel.py -------------------------------------------------- */

uint64_t play_randomly(int seats, uint64_t seed, int64_t first, int64_t games,
                       int64_t *decisions_taken) {
    const State blank = {.seats = (int8_t)seats, .drop_order = AS_PILED, .starter = NOBODY};
    int64_t actions[1 + HELD];
    uint64_t digest = mix(seed);
    for (int64_t game = first; game < first + games; game++) {
        State s = blank;
        Stream chance = {stream_key(seed, (uint64_t)game), 0};
        Stream choices = {mix(chance.key), 0};
        int64_t decisions = 0;
        set_up(&s, &chance);
        while (s.phase != OVER) {
            int count = legal(&s, actions);
            apply(&s, actions[draw(&choices, count)], &chance);
            decisions++;
        }
        *decisions_taken += decisions;
        digest = mix(digest ^ (uint64_t)decisions);
        for (int seat = 0; seat < seats; seat++)
            digest = mix(digest ^ (uint64_t)(s.points[seat] * 64 + rank(&s, seat)));
    }
    return digest;
}
