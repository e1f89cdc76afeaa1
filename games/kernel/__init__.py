"""What all rulebooks share: states, steps, decisions, chance, orders. Plain Python."""
