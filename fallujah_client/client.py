"""The client: one method an operation, typed answers, refusals as exceptions, streams that come back by themselves."""

from collections.abc import Iterator
from typing import Any

from fallujah_client import shapes as s
from fallujah_client.line import Refused, does
from fallujah_client.lobby import Lobby

__all__ = ["Client", "Refused"]
Orders = str | list[str | s.Action]


class Client(Lobby):
    """`Client("http://127.0.0.1:8000", token)`, or without a token and then `login`."""

    # --- matches -----------------------------------------------------------------------------------

    @does("matches_list")
    def matches(
        self,
        *,
        scope: str | None = None,
        status: str | None = None,
        ruleset: str | None = None,
        asked: bool | None = None,
        opponent: str | None = None,
        title: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        before: int | None = None,
        after: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> s.Matches:
        return self._get(
            "matches", s.Matches, scope=scope, status=status, ruleset=ruleset, asked=asked, opponent=opponent,
            title=title, created_after=created_after, created_before=created_before, before=before, after=after,
            limit=limit, offset=offset,
        )  # fmt: skip

    @does("matches_create")
    def open(
        self,
        ruleset: str,
        *,
        seat: str | None = None,
        bots: dict[str, str] | None = None,
        options: dict[str, Any] | None = None,
        title: str | None = None,
        private: bool | None = None,
        clock_hours: int | None = None,
        bank_hours: int | None = None,
        bot_seconds: float | None = None,
        salt: str | None = None,
    ) -> s.Match:
        return self._do(
            "POST", "matches", s.Match, ruleset=ruleset, seat=seat, bots=bots, options=options, title=title,
            private=private, clock_hours=clock_hours, bank_hours=bank_hours, bot_seconds=bot_seconds,
            salt=salt,
        )  # fmt: skip

    @does("matches_import")
    def bring_in(self, text: str) -> s.Match:
        """A finished match from its file."""
        return self._do("POST", "matches/import", s.Match, raw=text)

    @does("matches_get")
    def match(self, match_id: int) -> s.Match:
        return self._get(f"matches/{match_id}", s.Match)

    @does("matches_join")
    def join(
        self, match_id: int, *, seat: str | None = None, salt: str | None = None, invitation: str | None = None
    ) -> s.Match:
        path = f"matches/{match_id}/join"
        return self._do("POST", path, s.Match, seat=seat, salt=salt, invitation=invitation)

    @does("matches_cancel")
    def cancel(self, match_id: int) -> s.Match:
        return self._do("POST", f"matches/{match_id}/cancel", s.Match)

    @does("matches_resign")
    def resign(self, match_id: int) -> s.Match:
        return self._do("POST", f"matches/{match_id}/resign", s.Match)

    # --- play --------------------------------------------------------------------------------------

    @does("matches_view")
    def view(self, match_id: int, *, seat: str | None = None, at: int | None = None) -> s.View:
        return self._get(f"matches/{match_id}/view", s.View, seat=seat, at=at)

    @does("matches_decision")
    def decision(
        self,
        match_id: int,
        *,
        verb: str | None = None,
        prefix: str | None = None,
        group: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> s.Decision:
        path = f"matches/{match_id}/decision"
        return self._get(path, s.Decision, verb=verb, prefix=prefix, group=group, limit=limit, offset=offset)

    @does("matches_orders")
    def orders(
        self,
        match_id: int,
        orders: Orders,
        *,
        version: int | None = None,
        dry_run: bool | None = None,
        all_or_nothing: bool | None = None,
    ) -> s.OrdersResult:
        """Give orders for the version that was looked at. Repeated by itself when the answer is lost."""
        return self._do(
            "POST", f"matches/{match_id}/orders", s.OrdersResult, version=version, orders=orders,
            dry_run=dry_run, all_or_nothing=all_or_nothing,
        )  # fmt: skip

    @does("matches_entries")
    def entries(
        self, match_id: int, *, after: int | None = None, limit: int | None = None, seat: str | None = None
    ) -> s.Entries:
        return self._get(f"matches/{match_id}/entries", s.Entries, after=after, limit=limit, seat=seat)

    @does("matches_take_back")
    def take_back(self, match_id: int, *, count: int = 1, reason: str = "") -> s.TakeBack:
        path = f"matches/{match_id}/take-back"
        return self._do("POST", path, s.TakeBack, count=count, reason=reason)

    @does("matches_take_back_answer")
    def take_back_answer(self, match_id: int, agree: bool) -> s.TakeBack:
        return self._do("POST", f"matches/{match_id}/take-back/answer", s.TakeBack, agree=agree)

    @does("standing_orders_list")
    def standing_orders(self, match_id: int) -> s.StandingOrders:
        return self._get(f"matches/{match_id}/standing-orders", s.StandingOrders)

    @does("standing_orders_set")
    def standing_set(self, match_id: int, text: str) -> s.StandingOrders:
        return self._do("POST", f"matches/{match_id}/standing-orders", s.StandingOrders, text=text)

    @does("standing_orders_rehearse")
    def standing_rehearse(self, match_id: int, text: str) -> s.Rehearsal:
        return self._get(f"matches/{match_id}/standing-orders/rehearsal", s.Rehearsal, text=text)

    @does("standing_orders_withdraw")
    def standing_withdraw(self, match_id: int, number: int) -> None:
        self._do("DELETE", f"matches/{match_id}/standing-orders/{number}", type(None))

    # --- pictures and papers -----------------------------------------------------------------------

    @does("matches_board_txt")
    def board(self, match_id: int, *, seat: str | None = None, at: int | None = None) -> str:
        return self._raw(f"matches/{match_id}/board.txt", seat=seat, at=at).decode()

    @does("matches_board_svg")
    def board_svg(
        self,
        match_id: int,
        *,
        seat: str | None = None,
        at: int | None = None,
        theme: str | None = None,
        crop: bool | None = None,
    ) -> str:
        return self._raw(f"matches/{match_id}/board.svg", seat=seat, at=at, theme=theme, crop=crop).decode()

    @does("matches_board_png")
    def board_png(
        self,
        match_id: int,
        *,
        seat: str | None = None,
        at: int | None = None,
        theme: str | None = None,
        crop: bool | None = None,
        width: int | None = None,
    ) -> bytes:
        return self._raw(f"matches/{match_id}/board.png", seat=seat, at=at, theme=theme, crop=crop, width=width)

    @does("matches_dice")
    def dice(self, match_id: int) -> s.Dice:
        return self._get(f"matches/{match_id}/dice", s.Dice)

    @does("matches_export")
    def export(self, match_id: int) -> str:
        return self._raw(f"matches/{match_id}/export").decode()

    @does("matches_deliveries")
    def deliveries(self, match_id: int) -> s.Deliveries:
        return self._get(f"matches/{match_id}/deliveries", s.Deliveries)

    # --- streams -----------------------------------------------------------------------------------

    @does("matches_stream")
    def stream(
        self, match_id: int, *, after: int | None = None, seat: str | None = None, talk: int | None = None
    ) -> Iterator[s.Event]:
        """`entry`, `decision` and `message` events until the match is over, nothing missed or repeated."""
        last = "" if after is None or after < 0 else str(after)
        return self._events(f"matches/{match_id}/stream", last, seat=seat, talk=talk)

    @does("stream")
    def stream_all(self, last: str = "") -> Iterator[s.Event]:
        """`match` events of all your matches, for ever."""
        return self._events("stream", last)

    # --- webhooks ----------------------------------------------------------------------------------

    @does("webhooks_list")
    def webhooks(self) -> s.Webhooks:
        return self._get("webhooks", s.Webhooks)

    @does("webhooks_create")
    def webhook_make(self, url: str, *, topics: list[str] | None = None) -> s.WebhookSecret:
        return self._do("POST", "webhooks", s.WebhookSecret, url=url, topics=topics)

    @does("webhooks_get")
    def webhook(self, number: int) -> s.Webhook:
        return self._get(f"webhooks/{number}", s.Webhook)

    @does("webhooks_remove")
    def webhook_remove(self, number: int) -> None:
        self._do("DELETE", f"webhooks/{number}", type(None))

    @does("webhooks_rotate")
    def webhook_rotate(self, number: int) -> s.WebhookSecret:
        return self._do("POST", f"webhooks/{number}/rotate", s.WebhookSecret)

    @does("webhooks_enable")
    def webhook_enable(self, number: int) -> s.Webhook:
        return self._do("POST", f"webhooks/{number}/enable", s.Webhook)

    @does("webhooks_test")
    def webhook_test(self, number: int) -> s.CallMade:
        return self._do("POST", f"webhooks/{number}/test", s.CallMade)

    @does("webhooks_calls")
    def webhook_calls(self, number: int) -> s.Calls:
        return self._get(f"webhooks/{number}/calls", s.Calls)

    @does("webhooks_replay")
    def webhook_replay(self, number: int, call: int) -> s.CallMade:
        return self._do("POST", f"webhooks/{number}/calls/{call}/replay", s.CallMade)
