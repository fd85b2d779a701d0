"""The kernels against the oracle, and the core against itself, on random rules, hands, deals."""
