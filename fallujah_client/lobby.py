"""Around the matches: the server and its games, people and tokens, invitations and seats, talk and notes."""

from fallujah_client import shapes as s
from fallujah_client.line import Line, does


class Lobby(Line):
    """What is not play itself; `Client` has it all."""

    # --- the server and its games ------------------------------------------------------------------

    @does("health")
    def health(self) -> s.Health:
        return self._get("health", s.Health)

    @does("version")
    def server_version(self) -> s.Version:
        return self._get("version", s.Version)

    @does("rulesets_list")
    def rulesets(self) -> list[s.Ruleset]:
        return self._get("rulesets", list[s.Ruleset])

    @does("rulesets_get")
    def ruleset(self, key: str) -> s.Ruleset:
        return self._get(f"rulesets/{key}", s.Ruleset)

    @does("rulesets_rules")
    def rules(self, key: str) -> s.Rules:
        return self._get(f"rulesets/{key}/rules", s.Rules)

    @does("rulesets_board")
    def board_data(self, key: str) -> s.BoardData:
        return self._get(f"rulesets/{key}/board", s.BoardData)

    @does("rulesets_notation")
    def notation(self, key: str) -> s.Notation:
        return self._get(f"rulesets/{key}/notation", s.Notation)

    # --- people and tokens -------------------------------------------------------------------------

    @does("register")
    def register(self, username: str, email: str, password: str) -> s.Person:
        body = {"username": username, "email": email, "password": password}
        return self._do("POST", "register", s.Person, once=False, body=body)

    @does("login")
    def login(self, username: str, password: str) -> str:
        """Get a token and use it from now on."""
        made = self._do("POST", "login", s.Login, once=False, username=username, password=password)
        self.use(made.token)
        return made.token

    @does("logout")
    def logout(self) -> None:
        self._do("POST", "logout", type(None), once=False)

    @does("me")
    def me(self) -> s.Me:
        return self._get("me", s.Me)

    @does("me_change")
    def me_change(
        self,
        *,
        zone: str | None = None,
        quiet: str | None = None,
        days_off: list[str] | None = None,
        digest_hour: int | None = None,
        reminders: bool | None = None,
        acks: str | None = None,
        subjects: str | None = None,
        wants_mail: bool | None = None,
        vacation: dict[str, str] | None = None,
    ) -> s.Me:
        """Settings of your own; what is not named stays as it is."""
        return self._do(
            "PATCH", "me", s.Me, zone=zone, quiet=quiet, days_off=days_off, digest_hour=digest_hour,
            reminders=reminders, acks=acks, subjects=subjects, wants_mail=wants_mail, vacation=vacation,
        )  # fmt: skip

    @does("password_change")
    def password_change(self, old_password: str, new_password: str) -> None:
        self._do("POST", "me/password", type(None), old_password=old_password, new_password=new_password)

    @does("addresses_list")
    def addresses(self) -> s.Addresses:
        return self._get("me/addresses", s.Addresses)

    @does("addresses_add")
    def address_add(self, email: str) -> s.Addresses:
        return self._do("POST", "me/addresses", s.Addresses, email=email)

    @does("addresses_drop")
    def address_drop(self, email: str) -> None:
        self._do("DELETE", f"me/addresses/{email}", type(None))

    @does("tokens_list")
    def tokens(self) -> s.Tokens:
        return self._get("tokens", s.Tokens)

    @does("tokens_create")
    def token_make(
        self, *, name: str = "", scope: str = "play", days: int | None = None, match: int | None = None
    ) -> s.TokenMade:
        """A further token; with `match` it is bound to your seat there, for a bot that should reach nothing else."""
        return self._do("POST", "tokens", s.TokenMade, name=name, scope=scope, days=days, match=match)

    @does("tokens_withdraw")
    def token_withdraw(self, number: int) -> None:
        self._do("DELETE", f"tokens/{number}", type(None))

    # --- invitations and seats ---------------------------------------------------------------------

    @does("matches_invite")
    def invite(
        self,
        match_id: int,
        *,
        username: str | None = None,
        email: str | None = None,
        seat: str | None = None,
        words: str | None = None,
    ) -> s.Invitation:
        """Somebody here by name, or anybody by mail address."""
        path = f"matches/{match_id}/invite"
        return self._do("POST", path, s.Invitation, username=username, email=email, seat=seat, words=words)

    @does("invitations_list")
    def invitations(self) -> s.Invitations:
        return self._get("invitations", s.Invitations)

    @does("invitations_get")
    def invitation(self, number: int) -> s.Invitation:
        return self._get(f"invitations/{number}", s.Invitation)

    @does("invitations_accept")
    def accept(self, number: int) -> s.Invitation:
        return self._do("POST", f"invitations/{number}/accept", s.Invitation)

    @does("invitations_decline")
    def decline(self, number: int) -> s.Invitation:
        return self._do("POST", f"invitations/{number}/decline", s.Invitation)

    @does("invitations_cancel")
    def invitation_cancel(self, number: int) -> s.Invitation:
        return self._do("DELETE", f"invitations/{number}", s.Invitation)

    @does("seats_list")
    def seats(self, match_id: int) -> s.Seats:
        return self._get(f"matches/{match_id}/seats", s.Seats)

    @does("seats_set")
    def seat_set(self, match_id: int, seat: str, bot: str | None) -> s.Seats:
        """Put a bot into an empty seat of your match; None takes it out again."""
        return self._do("PUT", f"matches/{match_id}/seats/{seat}", s.Seats, body={"bot": bot})

    @does("matches_start")
    def start(self, match_id: int, *, bots: dict[str, str] | None = None) -> s.Match:
        return self._do("POST", f"matches/{match_id}/start", s.Match, bots=bots)

    @does("matches_leave")
    def leave(self, match_id: int) -> s.Match:
        return self._do("POST", f"matches/{match_id}/leave", s.Match)

    @does("matches_rematch")
    def rematch(self, match_id: int) -> s.Match:
        return self._do("POST", f"matches/{match_id}/rematch", s.Match)

    # --- talk and notes ----------------------------------------------------------------------------

    @does("messages_list")
    def messages(self, match_id: int, *, after: int | None = None, limit: int | None = None) -> s.Talk:
        return self._get(f"matches/{match_id}/messages", s.Talk, after=after, limit=limit)

    @does("messages_say")
    def say(self, match_id: int, text: str) -> s.Saying:
        return self._do("POST", f"matches/{match_id}/messages", s.Saying, text=text)

    @does("note_get")
    def note(self, match_id: int) -> s.Note:
        return self._get(f"matches/{match_id}/note", s.Note)

    @does("note_set")
    def note_set(self, match_id: int, text: str) -> s.Note:
        return self._do("PUT", f"matches/{match_id}/note", s.Note, text=text)
