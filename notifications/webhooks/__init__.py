"""Calls of people's own programs: signed, guarded, repeated until they arrive."""
