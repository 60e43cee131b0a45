"""Build Archipel as a static site, which plays without a server.

The tables then live in the browser (see `archipel.tab`). `build` makes the folder: the client,
`downloads` and `python_runtime` make its Python, `pages` adapts the page.
"""
