"""Search over what a seat sees, as rules: no word of any game in here.

Sequential halving: all candidates are tried equally often, in the same worlds with the same chance;
the better half goes on, until one is left.  A simulation deals a world that fits the view, plays a
candidate, goes through the tree below it, plays on by a policy, and stops at the end of the game or
when so many turns are over, where the prospects of the seats are appraised.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.policy import ask, pick
from archipel.bots.search.rewards import reward_ending, reward_prospects
from archipel.bots.search.thinking import NONE, Thinking
from archipel.bots.search.tree import HABIT, child_of, new_node, place_for, select
from archipel.rules.kit import Stream, draw, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.numbers import root
from archipel.rules.slots import GameState, apply, deal_unseen, legal, to_move

# The states that a strand needs.
ROOT: Final = 0  # what the seat sees
DEALT: Final = 1  # a world that looks like it
WORLD: Final = 2  # the same, played on
STATES: Final = 3

MOST_STEPS: Final = 20_000  # no game is meant to come near this
NO_LIMIT: Final = 1 << 40

# Streams of a world: how it is dealt, its chance, and what the policy leaves to chance.
STREAMS: Final = 4
DEALING: Final = 0
CHANCE: Final = 1
CHOICES: Final = 2
OVERSIGHT: Final = 3


# ---- the game's rules, each compiled once however often it is called ----------------------------


@rule_apart
def play(s: GameState, action: int, chance: Stream) -> None:
    apply(s, action, chance)


@rule_apart
def options(s: GameState, actions: list[int]) -> int:
    return legal(s, actions)


@rule
def use_stream(stream: Stream, t: Thinking, world: int, which: int) -> None:
    stream.key = stream_key(t.seed, world * STREAMS + which)
    stream.counter = 0


# ---- one simulation -----------------------------------------------------------------------------


@rule
def may_be_cut(t: Thinking) -> bool:
    """Whether the plan has simulations appraised at all before they end."""
    return t.horizon > 0 or t.features > 0


@rule_apart
def simulate(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    t: Thinking,
    candidate: int,
    chance: Stream,
    choices: Stream,
) -> None:
    """Play a candidate in the world at hand, play on, and note what comes of it."""
    s = states[WORLD]
    node = t.below[candidate]
    walked = 0
    changes = 0
    steps = 1
    play(s, t.candidate[candidate], chance)
    last = t.me
    mover = to_move(s)
    while mover >= 0 and steps < MOST_STEPS:
        if mover != last:
            last = mover
            changes += 1
        if changes >= t.horizon and may_be_cut(t) and reward_prospects(s, t, features):
            break
        count = options(s, actions)
        action = actions[0]
        if count > 1:
            if node >= 0 and t.habit != 0 and walked < t.depth and changes == 0:
                action = ask(s, t.policy, actions, count, choices)
                node = place_for(s, t, node, mover, action, actions, count, choices)
                if node >= 0:
                    t.path[walked] = node
                    walked += 1
                    if t.key[node] != HABIT:
                        action = t.key[node]
                    if t.tried[node] == 0:
                        node = NONE  # new: from here on by the policy
            elif (
                node >= 0 and t.habit == 0 and walked < t.depth and (mover == t.me or t.rivals != 0)
            ):
                action = select(s, t, node, mover, actions, count, choices)
                node = child_of(t, node, mover, action)
                if node >= 0:
                    t.path[walked] = node
                    walked += 1
                    if t.tried[node] == 0:
                        node = NONE  # new: from here on by the policy
            else:
                bot = t.playout if mover == t.me else t.others
                action = ask(s, bot, actions, count, choices)
        play(s, action, chance)
        steps += 1
        mover = to_move(s)
    if mover < 0 or steps == MOST_STEPS:
        reward_ending(s, t)
    note(t, candidate, walked)


@rule
def note(t: Thinking, candidate: int, walked: int) -> None:
    reward = t.reward[t.me]
    t.visits[candidate] += 1
    t.worth[candidate] += reward
    t.squares[candidate] += reward * reward
    t.won[candidate] += t.share[t.me]
    if t.below[candidate] >= 0:
        t.tried[t.below[candidate]] += 1
    for number in range(walked):
        node = t.path[number]
        reward = t.reward[t.mover[node]]
        t.tried[node] += 1
        t.total[node] += reward
        t.total_squares[node] += reward * reward
        t.total_won[node] += t.share[t.mover[node]]


# ---- the schedule -------------------------------------------------------------------------------


@rule
def begin(
    states: list[GameState],
    actions: list[int],
    strands: list[Thinking],
    count: int,
    choices: Stream,
) -> None:
    """Before the first round: the candidates, and which of them the policy would choose."""
    lead = strands[0]
    s = states[ROOT]
    lead.me = to_move(s)
    lead.count = options(s, actions)
    for number in range(lead.count):
        lead.candidate[number] = actions[number]
    use_stream(choices, lead, 0, OVERSIGHT)
    rank_candidates(s, actions, lead, choices)
    for strand in range(count):
        begin_strand(strands[strand], lead)
    begin_round(strands, count)


@rule_apart
def rank_candidates(s: GameState, actions: list[int], t: Thinking, choices: Stream) -> None:
    """The policy's choice comes first; where there is a shortlist, its next choices follow."""
    t.alive = t.count if t.shortlist == 0 else min(t.count, t.shortlist)
    left = t.count
    for number in range(left):
        t.order[number] = number
    wanted = 1 if t.shortlist == 0 else t.alive
    for place in range(wanted):
        chosen = pick(s, t.policy, actions, left, choices)
        number = t.order[place + chosen]
        # What was before it in the list moves up by one, so that the list and the order agree.
        for before in range(chosen):
            t.order[place + chosen - before] = t.order[place + chosen - before - 1]
        t.order[place] = number
        left -= 1
        for later in range(left):
            actions[later] = t.candidate[t.order[place + 1 + later]]
    t.advice = t.order[0]


@rule
def begin_strand(t: Thinking, lead: Thinking) -> None:
    t.me = lead.me
    t.count = lead.count
    t.alive = lead.alive
    t.advice = lead.advice
    t.used = 0
    t.until = 0
    for number in range(t.count):
        t.candidate[number] = lead.candidate[number]
        t.order[number] = lead.order[number]
        t.visits[number] = 0
        t.worth[number] = 0.0
        t.squares[number] = 0.0
        t.won[number] = 0.0
        t.below[number] = NONE
        if t.depth > 0:
            t.below[number] = new_node(t, NONE, t.me, t.candidate[number])


@rule
def begin_round(strands: list[Thinking], count: int) -> None:
    """Every strand has the worlds of its own: each so manyth of them."""
    plan = strands[0]
    entered = plan.count if plan.shortlist == 0 else min(plan.count, plan.shortlist)
    rounds = 0
    while 1 << rounds < entered:
        rounds += 1
    each = max(1, plan.simulations // (max(1, rounds) * plan.alive))
    first = plan.until
    for strand in range(count):
        t = strands[strand]
        t.turn = 0
        t.until = first + each
        t.world = first + (strand - first) % count


@rule
def explore(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    strands: list[Thinking],
    strand: int,
    count: int,
    chance: Stream,
    choices: Stream,
    most: int,
) -> int:
    """Go on with the round, by so many simulations at most; how many were made.

    A strand that makes fewer has done its part of the round.
    """
    t = strands[strand]
    made = 0
    while t.world < t.until and made < most:
        if t.turn == 0:
            use_stream(chance, t, t.world, DEALING)
            copy_state(states, ROOT, DEALT)
            deal_unseen(states[DEALT], chance)
        use_stream(chance, t, t.world, CHANCE)
        use_stream(choices, t, t.world, CHOICES)
        copy_state(states, DEALT, WORLD)
        simulate(states, actions, features, t, t.order[t.turn], chance, choices)
        made += 1
        t.turn += 1
        if t.turn == t.alive:
            t.turn = 0
            t.world += count
    return made


@rule
def mean_of(strands: list[Thinking], count: int, candidate: int) -> float:
    """A candidate's mean reward, over all strands."""
    visits = 0
    worth = 0.0
    for strand in range(count):
        visits += strands[strand].visits[candidate]
        worth += strands[strand].worth[candidate]
    return worth / visits if visits > 0 else 0.0


@rule
def rating_of(strands: list[Thinking], count: int, candidate: int) -> float:
    """The mean, and for the policy's own choice something on top that more visits wear off: search
    leaves it only on evidence."""
    rating = mean_of(strands, count, candidate)
    if candidate == strands[0].advice:
        visits = 0
        for strand in range(count):
            visits += strands[strand].visits[candidate]
        rating += strands[0].trust / root(max(1, visits))
    return rating


@rule
def error_of(strands: list[Thinking], count: int, candidate: int) -> float:
    """The square of the standard error of a candidate's mean; few visits say little of how much
    they vary, so that they are taken for more different than they were."""
    visits = 0
    worth = 0.0
    squares = 0.0
    for strand in range(count):
        visits += strands[strand].visits[candidate]
        worth += strands[strand].worth[candidate]
        squares += strands[strand].squares[candidate]
    if visits == 0:
        return 1.0
    mean = worth / visits
    return (max(0.0, squares / visits - mean * mean) + 0.25 / visits) / visits


@rule
def is_beaten(strands: list[Thinking], count: int, candidate: int, best: int) -> bool:
    """Whether a candidate is plainly worse than the best."""
    gap = rating_of(strands, count, best) - rating_of(strands, count, candidate)
    error = error_of(strands, count, best) + error_of(strands, count, candidate)
    return gap > 0.0 and gap * gap > strands[0].sure * strands[0].sure * error


@rule_apart
def halve(strands: list[Thinking], count: int) -> bool:
    """After a round: the better half goes on, or what of it is not plainly beaten. Whether there is
    another round."""
    lead = strands[0]
    for late in range(1, lead.alive):
        candidate = lead.order[late]
        rating = rating_of(strands, count, candidate)
        early = late
        while early > 0 and rating_of(strands, count, lead.order[early - 1]) < rating:
            lead.order[early] = lead.order[early - 1]
            early -= 1
        lead.order[early] = candidate
    alive = (lead.alive + 1) // 2
    if lead.sure > 0.0:
        while alive > 1 and is_beaten(strands, count, lead.order[alive - 1], lead.order[0]):
            alive -= 1
    for strand in range(count):
        t = strands[strand]
        t.alive = alive
        for place in range(lead.count):
            t.order[place] = lead.order[place]
    if alive > 1:
        begin_round(strands, count)
    return alive > 1


@rule
def conclude(strands: list[Thinking], count: int, choices: Stream) -> int:
    """The number of the candidate that is played: the best one, unless it is overlooked; but what
    is much worse is not played for that."""
    lead = strands[0]
    best = lead.order[0]
    if lead.overlook == 0:
        return best
    use_stream(choices, lead, 1, OVERSIGHT)
    least = mean_of(strands, count, best) - lead.blunder
    for place in range(lead.count):
        candidate = lead.order[place]
        if mean_of(strands, count, candidate) < least:
            return best
        if draw(choices, 1000) >= lead.overlook:
            return candidate
    return best


@rule_apart
def decide(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    strands: list[Thinking],
    count: int,
    chance: Stream,
    choices: Stream,
) -> int:
    """A whole decision in one go: the action for the view at ROOT, of which there are several."""
    begin(states, actions, strands, count, choices)
    going_on = True
    while going_on:
        for strand in range(count):
            explore(states, actions, features, strands, strand, count, chance, choices, NO_LIMIT)
        going_on = halve(strands, count)
    return strands[0].candidate[conclude(strands, count, choices)]
