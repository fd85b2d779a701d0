"""An independent slow reference of the rules, written from the rule text alone.

Nothing here imports the library: rules arrive as duck-typed objects whose attributes carry the
names of the rule fields, and everything is done by plain enumeration. Tests compare the kernels
with it. One module a chapter: `order` (R3, R4.2-4.5), `shapes` (R4), `lead` (R5), `follow` (R6),
`trick` (R7), `bid` (R8.2-8.3), `score` (R2, R10); `game` plays whole deals with them (R1-R10).
"""
