"""`address`, `address add ..`, `address drop ..`: from where a person may write, and where mail goes."""

from typing import Any

from games.kernel.errors import GameError
from games.ledger import mailboxes

_HOW = "Write address, address add <address>, address drop <address>, or address rotate in the mail of a match."


def address(user: Any, argument: str) -> list[str]:
    word, _, email = argument.strip().partition(" ")
    match word.lower():
        case "":
            return _listed(user)
        case "add" if email.strip():
            row = mailboxes.address_add(user=user, email=email)
            return [f"A mail is on its way to {row.email}. Reply yes to it from there, and orders count from it too."]
        case "drop" if email.strip():
            mailboxes.address_drop(user=user, email=email)
            return ["Dropped; nothing that comes from there counts any more.", *_listed(user)]
    raise GameError(_HOW, code="unreadable")


def _listed(user: Any) -> list[str]:
    lines = ["Your addresses; orders count from every proved one, mail goes to the first that takes it:"]
    for row in mailboxes.listed(user):
        words = ["main" if row["main"] else "further", "proved" if row["proved"] else "not proved yet"]
        if row["bounced_at"]:
            words.append(f"mail came back on {row['bounced_at']:%d %b %Y}")
        lines.append(f"{row['email']}: {', '.join(words)}")
    return lines
