"""Computer players. They see an imagined state only: nothing their seat could not know."""
