"""Build the documents as a static site: pages, rules with pictures, the Python API, a search.

    python -m tools.documents

Nothing is written here that stands elsewhere: guides come from ``docs``, the front page is the
README, the rules come from the booklets of the games, the interface from docstrings, and the look
is that of the browser client.
"""
