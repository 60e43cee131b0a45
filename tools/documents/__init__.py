"""Build the documents as a static site: pages, rules with pictures, the Python API, a search.

    python -m tools.documents

The sources are elsewhere: guides come from ``docs``, the front page is the README, the rules come
from the booklets of the games, the API pages from docstrings, and the style is that of the browser
client.
"""
