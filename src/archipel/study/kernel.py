"""Whole games between bots, as a rule: written once, compiled for each game."""

from __future__ import annotations

from archipel.rules.course import ROUNDS_BEGUN, SURVIVORS, WHOLE_GAME
from archipel.rules.course import TURNS as TURNS_TOLD
from archipel.rules.kit import U64, Stream, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.slots import (
    GameState,
    apply,
    choose,
    figure,
    follow,
    legal,
    rank,
    recall,
    score,
    set_up,
    to_move,
)

# The states that a batch of games needs.
BLANK = 0  # the options, before set-up
PLAYED = 1
SEEN = 2
STATES = 3

# Rows of results, one column per game; ranks and scores have a row per entrant.
DECISIONS = 0
RANKS = 1

# After the scores, where the course is followed: of the game, then per figure a row per entrant.
TURNS = 0
ROUNDS = 1
ENDING = 2
OF_THE_GAME = 3

# Rows of survivors, one column per round that begins: over all games the sum of those who are left
# (after the end of a game: who was left at its end), of their squares, and of the games not over.
SUM = 0
SQUARES = 1
GOING_ON = 2
SURVIVOR_ROWS = 3

UNFINISHED = -1  # instead of the decisions of a game that does not end


@rule
def play_games(
    states: list[GameState],
    actions: list[int],
    bots: list[int],
    chance: Stream,
    choices: Stream,
    seats: int,
    rotate: int,
    same_chance: int,
    most_decisions: int,
    seed: U64,
    first: int,
    games: int,
    results: list[list[int]],
    figures: int,
    course: list[int],
    survivors: list[list[int]],
    rounds: int,
    lost: list[int],
) -> None:
    """Play games number ``first`` and following of a seed between the entrants ``bots``.

    In game number g entrant e has seat e + g * rotate, counted round the table.  Chance of a game
    and the choices of its bots come from streams of their own.  ``same_chance`` is 1 where all
    games of a rotation, in which everybody sits on every seat once, have the chance of its first.

    With ``rounds`` above 0 the course of the games is followed for so many rounds, and each seat's
    figures are told, ``figures`` of them.
    """
    for column in range(games):
        game = first + column
        shift = game * rotate % seats
        copy_state(states, BLANK, PLAYED)
        s = states[PLAYED]
        chance.key = stream_key(seed, game - shift * same_chance)
        chance.counter = 0
        choices_key = stream_key(stream_key(seed, game), 1)
        set_up(s, chance)
        decisions = 0
        noted = 0
        for place in range(len(course)):
            course[place] = 0
        follow(s, course, lost)
        seat = to_move(s)
        while seat >= 0 and decisions < most_decisions:
            count = legal(s, actions)
            recall(s, seat, states[SEEN])
            # A fresh stream for every decision: what one bot draws never moves another's numbers.
            choices.key = stream_key(choices_key, decisions)
            choices.counter = 0
            bot = bots[(seat - shift) % seats]
            apply(s, choose(states[SEEN], bot, actions, count, choices), chance)
            decisions += 1
            seat = to_move(s)
            follow(s, course, lost)
            while noted < rounds and noted < course[ROUNDS_BEGUN]:
                note_survivors(course, survivors, noted, 1)
                noted += 1
        results[DECISIONS][column] = decisions if seat < 0 else UNFINISHED
        for entrant in range(seats):
            sits = (entrant + shift) % seats
            results[RANKS + entrant][column] = rank(s, sits)
            results[RANKS + seats + entrant][column] = score(s, sits)
        if rounds > 0:
            while noted < rounds:
                note_survivors(course, survivors, noted, 0)
                noted += 1
            own = RANKS + 2 * seats
            results[own + TURNS][column] = course[TURNS_TOLD]
            results[own + ROUNDS][column] = course[ROUNDS_BEGUN]
            results[own + ENDING][column] = figure(s, course, WHOLE_GAME, 0)
            for which in range(figures):
                for entrant in range(seats):
                    row = own + OF_THE_GAME + which * seats + entrant
                    results[row][column] = figure(s, course, (entrant + shift) % seats, which)


@rule
def note_survivors(
    course: list[int], survivors: list[list[int]], begun: int, going_on: int
) -> None:
    """Who is left when a round begins, or would have begun."""
    survivors[SUM][begun] += course[SURVIVORS]
    survivors[SQUARES][begun] += course[SURVIVORS] * course[SURVIVORS]
    survivors[GOING_ON][begun] += going_on
