"""Tables in a browser tab: what a static site runs instead of a server.

Runs in Pyodide, in a web worker (see `client/src/site`). `start` makes the service, `channel` and
`authority` answer the messages of pages, `browser_store` keeps the tables, `engine_bots` runs the
bots in WebAssembly.
"""
