// Sinks that rules write into: observations in cells of the batch's type, and legal actions as bits.
// archipel.envs.gpu_source puts this file before the rules of the game; Cell is float, half or byte.

// Convert a number to a cell: rounded to the nearest half, or in units of 1/127.
#ifdef __CUDACC__
#define RULE_INSIDE __device__
RULE float cell_of(float number, float) { return number; }
RULE uint16_t cell_of(float number, uint16_t) {
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(number));
    return half;
}
RULE int8_t cell_of(float number, int8_t) { return (int8_t)__float2int_rn(number * 127.0f); }
#else
#include <cmath>
#include <cstring>
#define RULE_INSIDE
RULE float cell_of(float number, float) { return number; }
RULE uint16_t cell_of(float number, uint16_t) {
    _Float16 half = (_Float16)number;
    uint16_t bits;
    memcpy(&bits, &half, 2);
    return bits;
}
RULE int8_t cell_of(float number, int8_t) { return (int8_t)lrintf(number * 127.0f); }
#endif
struct Out {
    Cell* cells;
    RULE_INSIDE void put(int32_t place, float number) { cells[place] = cell_of(number, Cell()); }
};
struct Bits {
    uint32_t* words;
    RULE_INSIDE void put(int32_t, int32_t action) { words[action >> 5] |= 1u << (action & 31); }
};
