"""A typed client for the REST API, for people's own programs. Needs httpx and msgspec, not the server."""

from fallujah_client.client import Client, Refused
from fallujah_client.shapes import Decision, Entries, Entry, Event, Match, Matches, Offer, OrdersResult, Seat, View

__all__ = [
    "Client",
    "Decision",
    "Entries",
    "Entry",
    "Event",
    "Match",
    "Matches",
    "Offer",
    "OrdersResult",
    "Refused",
    "Seat",
    "View",
]
