"""The table: people and agents play any rule set together, in a browser or in a terminal.

    python -m agents.play            a server and a page (extra `web`)
    python -m agents.play --text     in the terminal

`table` is a game with its seats and clocks, `rooms` holds many, `server` speaks to browsers.
"""
