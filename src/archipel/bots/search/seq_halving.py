"""Sequential halving over the candidates of a decision, for any game.

Each round tries all remaining candidates equally often, in the same worlds with the same chance,
and drops the worse half. A simulation samples a world from the view, plays a candidate, descends
the tree below it and continues with a rollout. It ends with the game, or with an evaluation after
`horizon` turns.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.search_state import NONE, SearchState
from archipel.bots.search.tree import POLICY_CHOICE, Tree, child_of, new_node
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Stream, draw, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.numbers import root

# The states of a thread.
ROOT: Final = 0  # the view of the seat
DEALT: Final = 1  # a world sampled from it
WORLD: Final = 2  # that world during a simulation
AHEAD: Final = 3  # a position after an action of the lookahead
STATES: Final = 4

# Parts of a row of sums (see `evaluate_candidates`), each with one column per seat.
SHARES: Final = 0
SQUARES: Final = 1
GAPS: Final = 2  # squared differences from the first candidate
PARTS: Final = 3

MOST_STEPS: Final = 20_000  # no game comes near it
NO_LIMIT: Final = 1 << 40
LOOKAHEADS: Final = 64  # most samples of a lookahead

# Random streams of a world: its deal, its chance, the policies' choices, and oversights.
STREAMS: Final = 4
DEALING: Final = 0
CHANCE: Final = 1
CHOICES: Final = 2
OVERSIGHT: Final = 3


@rule
def use_stream(stream: Stream, t: SearchState, world: int, which: int) -> None:
    stream.key = stream_key(t.seed, world * STREAMS + which)
    stream.counter = 0


# ---- one simulation -----------------------------------------------------------------------------


@rule
def add_result(t: SearchState, candidate: int, walked: int) -> None:
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


@rule
def begin_round(threads: list[SearchState], count: int) -> None:
    """Start a round. Thread k of n gets the worlds whose number is k modulo n."""
    lead = threads[0]
    entered = lead.count if lead.shortlist == 0 else min(lead.count, lead.shortlist)
    rounds = 0
    while 1 << rounds < entered:
        rounds += 1
    each = max(1, lead.simulations // (max(1, rounds) * lead.alive))
    first = lead.until
    for thread in range(count):
        t = threads[thread]
        t.turn = 0
        t.until = first + each
        t.world = first + (thread - first) % count


@rule
def visits_of(threads: list[SearchState], count: int, candidate: int) -> int:
    visits = 0
    for thread in range(count):
        visits += threads[thread].visits[candidate]
    return visits


@rule
def mean_of(threads: list[SearchState], count: int, candidate: int) -> float:
    """A candidate's mean reward, over all threads."""
    worth = 0.0
    for thread in range(count):
        worth += threads[thread].worth[candidate]
    visits = visits_of(threads, count, candidate)
    return worth / visits if visits > 0 else 0.0


@rule
def rating_of(threads: list[SearchState], count: int, candidate: int) -> float:
    """The mean; for the policy's choice plus a prior bonus that decays as 1/√visits."""
    rating = mean_of(threads, count, candidate)
    if candidate == threads[0].advice:
        rating += threads[0].prior_weight / root(max(1, visits_of(threads, count, candidate)))
    return rating


@rule
def error_of(threads: list[SearchState], count: int, candidate: int) -> float:
    """The squared standard error of a candidate's mean.

    With few visits the sample variance is unreliable, so 0.25/visits is added to it.
    """
    visits = visits_of(threads, count, candidate)
    if visits == 0:
        return 1.0
    squares = 0.0
    for thread in range(count):
        squares += threads[thread].squares[candidate]
    mean = mean_of(threads, count, candidate)
    return (max(0.0, squares / visits - mean * mean) + 0.25 / visits) / visits


@rule
def is_beaten(threads: list[SearchState], count: int, candidate: int, best: int) -> bool:
    """Whether a candidate is `elimination_z` standard errors worse than the best."""
    gap = rating_of(threads, count, best) - rating_of(threads, count, candidate)
    error = error_of(threads, count, best) + error_of(threads, count, candidate)
    return gap > 0.0 and gap * gap > threads[0].elimination_z * threads[0].elimination_z * error


@rule_apart
def halve(threads: list[SearchState], count: int) -> bool:
    """Finish a round: keep the better half, without beaten candidates, and start the next round.

    Returns whether there is another round.
    """
    lead = threads[0]
    for late in range(1, lead.alive):
        candidate = lead.order[late]
        rating = rating_of(threads, count, candidate)
        early = late
        while early > 0 and rating_of(threads, count, lead.order[early - 1]) < rating:
            lead.order[early] = lead.order[early - 1]
            early -= 1
        lead.order[early] = candidate
    alive = (lead.alive + 1) // 2
    if lead.elimination_z > 0.0:
        while alive > 1 and is_beaten(threads, count, lead.order[alive - 1], lead.order[0]):
            alive -= 1
    for thread in range(count):
        t = threads[thread]
        t.alive = alive
        for place in range(lead.count):
            t.order[place] = lead.order[place]
    if alive > 1:
        begin_round(threads, count)
    return alive > 1


@rule
def conclude(threads: list[SearchState], count: int, choices: Stream) -> int:
    """Return the number of the candidate to play: the best that is not overlooked.

    If all those within `blunder` of the best are overlooked, it is the best after all.
    """
    lead = threads[0]
    best = lead.order[0]
    if lead.overlook == 0:
        return best
    use_stream(choices, lead, 1, OVERSIGHT)
    least = mean_of(threads, count, best) - lead.blunder
    for place in range(lead.count):
        candidate = lead.order[place]
        if mean_of(threads, count, candidate) < least:
            return best
        if draw(choices, 1000) >= lead.overlook:
            return candidate
    return best


class SequentialHalving(Tree):
    """Sequential halving over the candidates of a decision."""

    # ---- the game's rules, compiled once, not inlined into every caller --------------------------

    @rule_apart
    def play(self, s: GameState, action: int, chance: Stream) -> None:
        self.game.apply(s, action, chance)

    @rule_apart
    def options(self, s: GameState, actions: list[int]) -> int:
        return self.game.legal(s, actions)

    @rule_apart
    def look_ahead(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        t: SearchState,
        mover: int,
        count: int,
        choices: Stream,
    ) -> int:
        """Return the action with the best mean evaluation for its seat; NONE if one has none.

        Chance is sampled from streams of its own, the same for all actions, so that the choice
        does not foresee the world's chance.
        """
        key = choices.key
        counter = choices.counter
        best = NONE
        highest = -1.0
        for number in range(count):
            value = 0.0
            samples = 0
            certain = False
            while samples < t.lookahead and not certain:
                copy_state(states, WORLD, AHEAD)
                choices.key = stream_key(key, NO_LIMIT + counter * LOOKAHEADS + samples)
                choices.counter = 0
                self.play(states[AHEAD], actions[number], choices)
                certain = choices.counter == 0
                samples += 1
                if self.game.to_move(states[AHEAD]) < 0:
                    self.reward_ending(states[AHEAD], t)
                elif not self.reward_evaluation(states[AHEAD], t, features):
                    choices.key = key
                    choices.counter = counter
                    return NONE
                value += t.reward[mover]
            value /= samples
            if value > highest:
                highest = value
                best = actions[number]
        choices.key = key
        choices.counter = counter + 1
        return best

    @rule_apart
    def simulate(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        t: SearchState,
        candidate: int,
        chance: Stream,
        choices: Stream,
    ) -> None:
        """Simulate a candidate in the sampled world and add the result to the statistics."""
        s = states[WORLD]
        node = t.below[candidate]
        walked = 0
        decided = 0
        changes = 0
        steps = 1
        drawn = chance.counter
        self.play(s, t.candidate[candidate], chance)
        last = t.me
        mover = self.game.to_move(s)
        while mover >= 0 and steps < MOST_STEPS:
            if mover != last:
                last = mover
                changes += 1
            may_be_cut = t.horizon > 0 or t.features > 0
            if may_be_cut and changes >= t.horizon and self.reward_evaluation(s, t, features):
                break
            count = self.options(s, actions)
            action = actions[0]
            if count > 1:
                in_tree = node >= 0 and decided < t.depth
                if t.rollout_prior != 0:
                    in_tree = in_tree and changes == 0
                else:
                    in_tree = in_tree and (mover == t.me or t.opponent_nodes != 0)
                if in_tree and t.outcome_nodes != 0 and chance.counter != drawn:
                    drawn = chance.counter
                    node = self.node_of_outcome(s, t, node)
                    in_tree = node >= 0
                    if in_tree:
                        t.path[walked] = node
                        walked += 1
                if in_tree and t.rollout_prior != 0:
                    action = self.ask(s, t.policy, actions, count, choices)
                    node = self.select_against_policy(
                        s, t, node, mover, action, actions, count, choices
                    )
                    if node >= 0 and t.key[node] != POLICY_CHOICE:
                        action = t.key[node]
                elif in_tree:
                    action = self.select(s, t, node, mover, actions, count, choices)
                    node = child_of(t, node, mover, action)
                else:
                    action = NONE
                    if t.lookahead > 0:
                        action = self.look_ahead(
                            states, actions, features, t, mover, count, choices
                        )
                    if action == NONE:
                        bot = t.rollout_policy if mover == t.me else t.opponent_policy
                        action = self.ask(s, bot, actions, count, choices)
                if in_tree and node >= 0:
                    t.path[walked] = node
                    walked += 1
                    decided += 1
                    if t.tried[node] == 0:
                        node = NONE  # a new leaf: continue with a rollout
            self.play(s, action, chance)
            steps += 1
            mover = self.game.to_move(s)
        if mover < 0 or steps == MOST_STEPS:
            self.reward_ending(s, t)
        add_result(t, candidate, walked)

    # ---- the schedule ----------------------------------------------------------------------------

    @rule
    def begin(
        self,
        states: list[GameState],
        actions: list[int],
        threads: list[SearchState],
        count: int,
        choices: Stream,
    ) -> None:
        """Prepare the first round: find the candidates and rank them by the policy."""
        lead = threads[0]
        s = states[ROOT]
        lead.me = self.game.to_move(s)
        lead.count = self.options(s, actions)
        for number in range(lead.count):
            lead.candidate[number] = actions[number]
        use_stream(choices, lead, 0, OVERSIGHT)
        self.rank_candidates(s, actions, lead, choices)
        for thread in range(count):
            t = threads[thread]
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
        begin_round(threads, count)

    @rule_apart
    def rank_candidates(
        self, s: GameState, actions: list[int], t: SearchState, choices: Stream
    ) -> None:
        """Put the policy's choice first; with a shortlist, also its next choices."""
        t.alive = t.count if t.shortlist == 0 else min(t.count, t.shortlist)
        left = t.count
        for number in range(left):
            t.order[number] = number
        wanted = 1 if t.shortlist == 0 else t.alive
        for place in range(wanted):
            chosen = self.pick(s, t.policy, actions, left, choices)
            number = t.order[place + chosen]
            # Shift the entries before it by one, so that `actions` and `order` agree.
            for before in range(chosen):
                t.order[place + chosen - before] = t.order[place + chosen - before - 1]
            t.order[place] = number
            left -= 1
            for later in range(left):
                actions[later] = t.candidate[t.order[place + 1 + later]]
        t.advice = t.order[0]

    @rule
    def explore(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        thread: int,
        count: int,
        chance: Stream,
        choices: Stream,
        most: int,
    ) -> int:
        """Continue the round with at most ``most`` simulations; return how many were made.

        A thread that makes fewer has finished its share of the round.
        """
        t = threads[thread]
        made = 0
        while t.world < t.until and made < most:
            if t.turn == 0:
                use_stream(chance, t, t.world, DEALING)
                copy_state(states, ROOT, DEALT)
                self.game.deal_unseen(states[DEALT], chance)
            use_stream(chance, t, t.world, CHANCE)
            use_stream(choices, t, t.world, CHOICES)
            copy_state(states, DEALT, WORLD)
            self.simulate(states, actions, features, t, t.order[t.turn], chance, choices)
            made += 1
            t.turn += 1
            if t.turn == t.alive:
                t.turn = 0
                t.world += count
        return made

    # ---- candidates in common worlds -----------------------------------------------------------

    @rule
    def evaluate_candidates(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        numbers: list[int],
        count: int,
        chance: Stream,
        choices: Stream,
        first: int,
        worlds: int,
        sums: list[list[float]],
    ) -> None:
        """Add the results of candidates in a range of worlds to ``sums``, one row per candidate.

        All candidates are played in the same worlds with the same chance, so their differences are
        known far better than their values. Worlds are sampled from the view or position at ROOT.
        The last row of ``sums`` is a buffer. Call `begin` first.
        """
        t = threads[0]
        for world in range(first, first + worlds):
            use_stream(chance, t, world, DEALING)
            copy_state(states, ROOT, DEALT)
            self.game.deal_unseen(states[DEALT], chance)
            for place in range(count):
                use_stream(chance, t, world, CHANCE)
                use_stream(choices, t, world, CHOICES)
                copy_state(states, DEALT, WORLD)
                self.simulate(states, actions, features, t, numbers[place], chance, choices)
                for seat in range(t.seats):
                    share = t.share[seat]
                    if place == 0:
                        sums[count][seat] = share
                    gap = share - sums[count][seat]
                    sums[place][SHARES * t.seats + seat] += share
                    sums[place][SQUARES * t.seats + seat] += share * share
                    sums[place][GAPS * t.seats + seat] += gap * gap
