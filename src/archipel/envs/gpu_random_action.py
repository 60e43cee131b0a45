"""How a env on a graphics card finds an action at random, from the bits of what is legal."""

from __future__ import annotations

from archipel.envs.batch_kernel import BEGIN, GOING_ON, WORD, EnvState, Setting
from archipel.rules.kit import Stream, draw, rule, stream_key


@rule
def bits_set(word: int) -> int:
    """How many of 32 bits are set."""
    word = word - (word >> 1 & 0x5555_5555)
    word = (word & 0x3333_3333) + (word >> 2 & 0x3333_3333)
    word = word + (word >> 4) & 0x0F0F_0F0F
    return (word * 0x0101_0101 & 0xFFFF_FFFF) >> 24


@rule
def pick_at_random(
    env: EnvState, setting: Setting, allowed: list[int], words: int, choices: Stream
) -> int:
    """A legal action for a env, each equally likely, by chance of its own, as the bot that plays
    at random has it; BEGIN where the game is over."""
    if env.ended != GOING_ON:
        return BEGIN
    count = 0
    for word in range(setting.words):
        count += bits_set(allowed[words + word])
    choices.key = stream_key(env.key, env.decisions)
    choices.counter = 0
    chosen = draw(choices, count)
    word = 0
    here = bits_set(allowed[words])
    while chosen >= here:
        chosen -= here
        word += 1
        here = bits_set(allowed[words + word])
    bits = int(allowed[words + word])
    while chosen > 0:
        bits &= bits - 1
        chosen -= 1
    return word * WORD + bits_set((bits & -bits) - 1)
