"""A bot that cannot even be imported."""

raise RuntimeError("this bot was never finished")
