"""The games: rules as pure functions, without input, output, clock or random generator."""

#: Package of each built-in game, in the order in which games are shown.
BUILT_IN_GAMES = {
    "deep-sea": "deep_sea",
    "atlantis": "atlantis",
    "the-island": "the_island",
    "mauna-kea": "mauna_kea",
}
