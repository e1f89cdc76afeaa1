"""The terminal client: your matches, a board, a question, and a line to type."""

import re
from typing import Any

import msgspec
from rich.console import Console
from rich.live import Live

from fallujah_client import shorthand
from fallujah_client.client import Client, Refused
from fallujah_client.commands import Commands
from fallujah_client.screen import Screen, watched
from fallujah_client.shapes import Decision, Match, Ruleset, Saying
from fallujah_client.shorthand import Row, Typed

LISTED = 30
NEWS_SHOWN = 12
PROMPT = "[bold]>[/bold] "


class Leave(Exception):
    """Back to the list of matches; with `entirely` out of the program."""

    def __init__(self, entirely: bool = False) -> None:
        super().__init__()
        self.entirely = entirely


class Terminal:
    def __init__(self, client: Client, console: Console) -> None:
        self.client, self.console = client, console
        self.screen = Screen(console)

    def run(self, match_id: int | None = None) -> int:
        """The list of matches and what is done from there, until one has had enough."""
        try:
            while True:
                chosen = match_id or self.choose()
                match_id = None
                try:
                    self.play(chosen)
                except Leave as leave:
                    if leave.entirely:
                        return 0
                except Refused as error:
                    self.screen.trouble(str(error))
                except KeyboardInterrupt:
                    self.console.print()
        except Leave:
            return 0

    # --- the list ----------------------------------------------------------------------------------

    def choose(self) -> int:
        self.screen.matches(self.client.matches(limit=LISTED).results)
        while True:
            line = self.console.input("[bold]match>[/bold] ").strip()
            try:
                chosen = self._chosen(line)
            except Refused as error:
                self.screen.trouble(str(error))
                continue
            if chosen is not None:
                return chosen

    def _chosen(self, line: str) -> int | None:
        word, _, rest = line.partition(" ")
        if line.isdigit():
            return int(line)
        if word in ("quit", "exit", "q"):
            raise Leave(entirely=True)
        if word == "watch" and rest.strip().isdigit():
            self.watch(int(rest))
        elif word == "new":
            return self.new(rest)
        elif word == "rematch" and rest.strip().isdigit():
            again = self.client.rematch(int(rest))
            self.screen.say(f"Match {again.id} is {again.status}.")
        elif word in ("", "matches"):
            self.screen.matches(self.client.matches(limit=LISTED).results)
        elif word == "help":
            self.screen.help()
            self.screen.rulesets(self.client.rulesets())
        else:
            self.screen.trouble(
                "Type the number of a match, new <game>, watch <number>, rematch <number>, help or quit."
            )
        return None

    def new(self, text: str) -> int | None:
        """`new <game> [vs bot [name]] [side <seat>] [option=value ..]`, as in a mail."""
        found = re.fullmatch(
            r"(?P<game>[\w-]+)(?:\s+(?:vs|v|against)\s+(?:bot\s*)?(?P<bot>(?!side\b|\w+=)[\w-]*))?"
            r"(?:\s+side\s+(?P<side>[\w-]+))?(?P<rest>(?:\s+[\w-]+=\S+)*)",
            " ".join(text.split()),
            re.IGNORECASE,
        )
        if found is None:
            self.screen.trouble("Type: new <game> vs bot side <seat> option=value. The games are:")
            self.screen.rulesets(self.client.rulesets())
            return None
        game = self.client.ruleset(found["game"].lower())
        side = found["side"] or game.seats[0].key
        others = [seat.key for seat in game.seats if seat.key != side]
        bots = {seat: found["bot"] or _bot_for(game, seat) for seat in others} if found["bot"] is not None else {}
        match = self.client.open(game.key, seat=side, bots=bots, options=_options(game, found["rest"]))
        if match.status != "playing":
            self.screen.say(f"Match {match.id} waits for somebody to join.")
            return None
        return match.id

    # --- a match -----------------------------------------------------------------------------------

    def play(self, match_id: int) -> None:
        """Board, question, answer, until the match is over."""
        match = self.client.match(match_id)
        if match.my_seat is None:
            self.watch(match_id)
            return
        seen = match.version if match.status == "playing" else -1
        verbs = frozenset(verb.lower() for verb in self.client.ruleset(match.ruleset).verbs)
        while match.status == "playing":
            seen = self._tell(match_id, seen)
            decision = self.client.decision(match_id)
            if decision.asked:
                self._ask(match, decision, verbs)
            else:
                self._wait(match_id, decision.prompt, seen)
            match = self.client.match(match_id)
        self._tell(match_id, seen)
        self.screen.headline(match)
        if match.version >= 0:
            self.screen.board(self.client.board(match_id))
            self.screen.outcome(match.outcome)
        raise Leave

    def _tell(self, match_id: int, seen: int) -> int:
        page = self.client.entries(match_id, after=seen)
        self.screen.news(page.entries)
        return page.entries[-1].seq if page.entries else seen

    def _wait(self, match_id: int, prompt: str, seen: int) -> None:
        """Until one is asked or the match is over; others' moves are told as they are made."""
        self.screen.say(f"{prompt} Ctrl-C goes back to your matches.", "italic")
        for event in self.client.stream(match_id, after=seen):
            if event.event == "decision":
                return
            if event.event == "message":
                self.screen.said(msgspec.convert(event.data, Saying))

    def _ask(self, match: Match, decision: Decision, verbs: frozenset[str]) -> None:
        """One question, and lines until something has happened."""
        match = self.client.match(match.id)
        listed = shorthand.rows(decision.actions)
        known = verbs | {offer.notation.split()[0].lower() for offer in decision.actions}
        self.screen.headline(match)
        self.screen.board(self.client.board(match.id))
        self.screen.question(decision, listed)
        talk = Commands(self.client, self.screen, match, decision, listed)
        while True:
            typed = shorthand.read(self.console.input(PROMPT), listed, known)
            try:
                if self._act(typed, match, decision, talk, listed):
                    return
            except Refused as error:
                self.screen.trouble(str(error))
                if error.nearest:
                    self.screen.say(f"Nearest: {'; '.join(error.nearest[:5])}", "yellow")
                if error.code in ("stale", "not-your-decision", "match-over"):
                    return

    def _act(self, typed: Typed, match: Match, decision: Decision, talk: Commands, listed: list[Row]) -> bool:
        """Whether the question is done with."""
        if typed.kind == "unclear":
            self.screen.trouble(typed.why)
        elif typed.kind == "nothing":
            self.screen.trouble("No order and no command; nothing was done. Type help to see what can be said.")
        elif typed.kind == "order":
            return self._order(list(typed.texts), match, decision)
        elif typed.command in ("quit", "exit"):
            raise Leave(entirely=True)
        elif typed.command == "matches":
            raise Leave
        elif typed.command == "watch":
            self.watch(match.id)
            return True
        elif typed.command == "options":
            self.screen.question(decision, listed, len(listed))
        else:
            return talk.run(typed.command, typed.argument)
        return False

    def _order(self, texts: list[str], match: Match, decision: Decision) -> bool:
        result = self.client.orders(match.id, list(texts), version=decision.version, all_or_nothing=True)
        for line in result.lines:
            if line.status not in ("ok", "done"):
                self.screen.say(f"  {line.text}: {line.status}. {line.why}".rstrip(" ."), "yellow")
        if result.refused and result.refused.nearest:
            self.screen.say(f"Nearest: {'; '.join(result.refused.nearest[:5])}", "yellow")
        return result.applied > 0 or bool(result.kept)

    # --- looking on --------------------------------------------------------------------------------

    def watch(self, match_id: int) -> None:
        """The board as it changes, by the stream; Ctrl-C ends it."""
        match, news = self.client.match(match_id), list[str]()
        if match.version < 0:
            self.screen.say(f"Match {match_id} has not started.")
            return
        self.screen.say("Looking on; Ctrl-C ends it.", "italic")
        try:
            with Live(self._picture(match, news), console=self.console, auto_refresh=False) as live:
                for event in self.client.stream(match_id, after=match.version - 1):
                    if event.event == "entry":
                        news = [*news, *_told(event.data)][-NEWS_SHOWN:]
                        match = self.client.match(match_id)
                        live.update(self._picture(match, news), refresh=True)
        except KeyboardInterrupt:
            self.console.print()
            return
        self.screen.outcome(self.client.match(match_id).outcome)

    def _picture(self, match: Match, news: list[str]) -> Any:
        return watched(match, self.client.board(match.id), news)


def _told(entry: dict[str, Any]) -> list[str]:
    words = entry["news"] or [entry["notation"]]
    return [f"{entry['seq']} {entry['seat']}: {line}".replace("  ", " ") for line in words]


def _bot_for(game: Ruleset, seat: str) -> str:
    fitting = [bot.key for bot in game.bots if not bot.seats or seat in bot.seats]
    return next((key for key in fitting if key != "random"), "random")


def _options(game: Ruleset, text: str) -> dict[str, Any]:
    """Options by name; a value is one of those the game offers, as it was typed."""
    known = {option.key: {str(choice).lower(): choice for choice in option.choices} for option in game.options}
    given = dict(pair.split("=", 1) for pair in text.split())
    return {key: known.get(key, {}).get(value.lower(), value) for key, value in given.items()}
