"""The games of the house by name, and the package of each; in the order they are shown in."""

PACKAGES = {
    "deep-sea": "deep_sea",
    "atlantis": "atlantis",
    "the-island": "the_island",
    "mauna-kea": "mauna_kea",
}
