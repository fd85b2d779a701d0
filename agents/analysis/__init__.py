"""What players do, and what it is worth: measured on many deals, shown in the notebooks.

One job a module: `playing` (games to their end, with an onlooker), `hands` (numbers about hands),
`bids` (every moment at which a seat may bid), `shown` (the bids made), `redeal` (what a bid gains,
all that the bidder cannot see dealt anew), `burials`, `effects` (what a rule changes), `precision`
(what duplicate deals save), `logit` (what weighs how much); `rates` and `tables` count and print,
`plot_…` draw.  No torch: a network is only asked for its values.
"""
