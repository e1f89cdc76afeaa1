"""What can be said beside orders, at a question: look, why, log, undo, say, note, standing orders, resign."""

import re
from collections.abc import Sequence

from fallujah_client.client import Client, Refused
from fallujah_client.screen import Screen
from fallujah_client.shapes import Decision, Match
from fallujah_client.shorthand import FOR_MAIL, Row

LOG_SHOWN = 20
MOST_LOG = 100
HOUSE = (
    "One person, one seat in a match. Play your own orders; bots say that they are bots.\n"
    "What a seat may not see stays unseen. Speech is between players; keep it friendly."
)


class Commands:
    """The commands of one question."""

    def __init__(self, client: Client, screen: Screen, match: Match, decision: Decision, listed: Sequence[Row]) -> None:
        self.client, self.screen, self.match = client, screen, match
        self.decision, self.listed = decision, listed

    def run(self, command: str, argument: str) -> bool:
        """Whether the match may have changed, so that the question is to be asked anew."""
        if command in FOR_MAIL:
            self.screen.say(f"{command} is for mails and the pages of the server; here it does nothing.", "yellow")
            return False
        done: bool = getattr(self, f"_{command.rstrip('!')}")(argument)
        return done

    def _help(self, argument: str) -> bool:
        self.screen.help()
        return False

    def _rules(self, argument: str) -> bool:
        self.screen.say(HOUSE)
        return False

    def _board(self, argument: str) -> bool:
        return self._look("")

    def _look(self, argument: str) -> bool:
        """The board, or the lines of it that speak of something."""
        board = self.client.board(self.match.id)
        found = [line for line in board.splitlines() if argument.lower() in line.lower()]
        self.screen.board("\n".join(found) if found else f"Nothing in the position is called {argument}.")
        return False

    def _why(self, argument: str) -> bool:
        """A line of the list, or else an entry of the ledger."""
        if argument.lower().startswith("not "):
            return self._why_not(argument[4:].strip())
        if not argument.isdigit():
            self.screen.trouble("Type why and the number of a line or an entry, or why not and an order.")
            return False
        number = int(argument)
        if 1 <= number <= len(self.listed):
            row = self.listed[number - 1]
            told = [
                f"{number}: {row.notation}.",
                f"{row.words}." if row.words else "",
                f"{row.odds}." if row.odds else "",
            ]
            self.screen.say(" ".join([*filter(None, told), f"Rule {row.rule}." if row.rule else ""]).strip())
            return False
        page = self.client.entries(self.match.id, after=number - 1, limit=1).entries
        if not page or page[0].seq != number:
            self.screen.trouble(f"There is no line and no entry {number}.")
            return False
        rolls = " ".join(str(value) for _, value in page[0].rolls if value is not None)
        told = [f"Entry {number}: {page[0].notation}.", *page[0].news, f"Rolls {rolls}." if rolls else ""]
        self.screen.say(" ".join(filter(None, told)))
        return False

    def _why_not(self, order: str) -> bool:
        """Rehearse an order: whatever forbids it is said; nothing is played."""
        try:
            tried = self.client.orders(self.match.id, order, version=self.decision.version, dry_run=True)
        except Refused as error:
            self.screen.say(str(error), "yellow")
            return False
        line = tried.refused
        self.screen.say(f"{order}: {line.why}" if line else f"{order} would be allowed.", "yellow" if line else "green")
        return False

    def _log(self, argument: str) -> bool:
        first, _, last = argument.replace("..", "-").partition("-")
        after = int(first) - 1 if first.strip().isdigit() else self.match.version - LOG_SHOWN
        most = int(last) - after if last.strip().isdigit() else LOG_SHOWN * 2
        page = self.client.entries(self.match.id, after=max(-1, after), limit=max(1, min(most, MOST_LOG)))
        for entry in page.entries:
            told = " ".join(entry.news)
            self.screen.say(re.sub(" +", " ", f"{entry.seq:>5} {entry.seat} {entry.notation}  {told}"), "dim")
        return False

    def _undo(self, argument: str) -> bool:
        """`undo`, `undo 3`, `undo 3 because ..`."""
        number, reason = re.match(r"\d+", argument), re.search(r"(?:because|:)\s*(.+)$", argument, re.IGNORECASE)
        count = int(number[0]) if number else 1
        done = self.client.take_back(self.match.id, count=count, reason=reason[1] if reason else "")
        if done.granted:
            self.screen.say("Taken back. It is your move again, as before.", "green")
        else:
            self.screen.say("The others have seen something since. They are asked; you hear their answer.")
        return done.granted

    def _yes(self, argument: str) -> bool:
        return self._answer(True)

    def _no(self, argument: str) -> bool:
        return self._answer(False)

    def _answer(self, agree: bool) -> bool:
        done = self.client.take_back_answer(self.match.id, agree)
        self.screen.say("It is taken back." if done.granted else "Your answer is noted.")
        return done.granted

    def _standing(self, argument: str) -> bool:
        words = argument.split()
        if words[:1] == ["off"] and len(words) == 2 and words[1].isdigit():
            self.client.standing_withdraw(self.match.id, int(words[1]))
            self.screen.say(f"Standing order {words[1]} is withdrawn.")
            return False
        found = (
            self.client.standing_set(self.match.id, argument)
            if argument
            else self.client.standing_orders(self.match.id)
        )
        for order in found.standing_orders:
            self.screen.say(f"  {order.number}: {order.text}  (answered {order.fired} times)")
        if not found.standing_orders:
            self.screen.say("You have no standing orders.")
        return False

    def _rehearse(self, argument: str) -> bool:
        armed = {str(order.number): order.text for order in self.client.standing_orders(self.match.id).standing_orders}
        text = armed.get(argument.strip(), argument)
        self.screen.say(f"{text}: {self.client.standing_rehearse(self.match.id, text).words}")
        return False

    def _resign(self, argument: str) -> bool:
        if argument.lower() != "yes":
            self.screen.say("To give the match up, type   resign yes .  Nothing has been done yet.", "yellow")
            return False
        self.client.resign(self.match.id)
        return True

    def _new(self, argument: str) -> bool:
        self.screen.say("Go back to your matches first: type   matches .")
        return False

    def _cancel(self, argument: str) -> bool:
        self.screen.say("Only a match that has not started can be cancelled.")
        return False

    def _say(self, argument: str) -> bool:
        if not argument:
            for saying in self.client.messages(self.match.id).messages[-LOG_SHOWN:]:
                self.screen.said(saying)
            return False
        self.client.say(self.match.id, argument)
        self.screen.say("Said.", "green")
        return False

    def _note(self, argument: str) -> bool:
        note = self.client.note_set(self.match.id, argument) if argument else self.client.note(self.match.id)
        self.screen.say(f"Your note: {note.text}" if note.text else "You have no note.")
        return False

    def _rematch(self, argument: str) -> bool:
        self.screen.trouble("The match is not over yet.")
        return False
