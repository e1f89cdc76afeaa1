"""The papers beside a board: header line, panels, tracks, bars, battle inset, legend, events."""

from collections.abc import Sequence
from typing import NamedTuple

from games.drawing.marks import d6, d10, lit_rect
from games.drawing.palette import FOE, WHITE, Theme
from games.drawing.svg import path, polygon, rect, text
from games.drawing.type import cut, fitted, width_of


def header(theme: Theme, width: float, title: str, heading: str = "", corner: str = "", margin: float = 24) -> str:
    """The line on top of every picture; it takes 58 px."""
    right = width - margin
    out = text(margin, 38, title, theme.ink, 26, 700)
    left = margin + width_of(title, 26, 700) + 14
    if corner:
        corner = cut(corner, 260, 13, 400)
        out += text(right, 38, corner, theme.quiet, 13, 400, "end")
        right -= width_of(corner, 13, 400) + 20
    if heading:
        (row, *_), size = fitted(heading, right - left, 15, 400, 1, 11)
        out += text(left, 38, row, theme.quiet, size, 400)
    return out


def panel(theme: Theme, x: float, y: float, w: float, h: float, caption: str = "") -> str:
    """A card with a hair line and a caption in capitals; content may start 34 px below its top."""
    out = rect(x, y, w, h, 10, theme.panel, theme.line, 1)
    if caption:
        out += text(x + 14, y + 21, cut(caption.upper(), (w - 28) * 0.86, 11, 600), theme.quiet, 11, 600, spacing=1)
    return out


def track(
    theme: Theme,
    x: float,
    y: float,
    w: float,
    labels: Sequence[str],
    now: int,
    h: float = 28,
    size: float = 14,
    colour: str = "",
    past: bool = True,
) -> str:
    """A row of boxes; `now` is the index of the present one (-1: none), those before it are shaded."""
    gap = 2.5
    box = (w - gap * (len(labels) - 1)) / len(labels)
    out = ""
    for at, label in enumerate(labels):
        left = x + at * (box + gap)
        here = at == now
        fill = (colour or theme.ink) if here else theme.line if past and at < now else theme.panel
        on = (
            (theme.on_coalition if colour else theme.panel) if here else theme.ink if at < now and past else theme.quiet
        )
        out += rect(left, y, box, h, min(5, box / 4), fill, "" if here else theme.line, 1)
        fit = min(size, size * (box - 3) / max(1.0, width_of(label, size, 700)))
        out += text(left + box / 2, y + h / 2 + fit * 0.35, label, on, fit, 700 if here else 500, "middle")
    return out


def chips(theme: Theme, x: float, y: float, w: float, labels: Sequence[str], now: int, h: float = 26) -> str:
    """A row of round chips, as for phases, each as wide as its word needs; the present one is filled."""
    gap, size = 4.0, 13.0
    room = w - gap * (len(labels) - 1)
    while size > 8 and sum(width_of(label, size, 600) + size for label in labels) > room:
        size -= 0.25
    boxes = _shared(room, [width_of(label, size, 600) + size for label in labels])
    out, left = "", x
    for at, (label, box) in enumerate(zip(labels, boxes, strict=True)):
        here = at == now
        out += rect(left, y, box, h, h / 2, theme.coalition if here else theme.panel, "" if here else theme.line, 1)
        ink = theme.on_coalition if here else theme.quiet
        words = cut(label, box - 4, size, 600)
        out += text(left + box / 2, y + h / 2 + size * 0.35, words, ink, size, 600 if here else 400, "middle")
        left += box + gap
    return out


def _shared(room: float, needs: Sequence[float]) -> list[float]:
    """Room shared out by need; where it falls short, the short words keep theirs and the long ones are cut."""
    spare = (room - sum(needs)) / len(needs)
    if spare >= 0:
        return [need + spare for need in needs]
    shares = [0.0] * len(needs)
    for given, at in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        shares[at] = min(needs[at], (room - sum(shares)) / (len(needs) - given))
    return shares


def bar(
    theme: Theme, x: float, y: float, w: float, label: str, figure: str, share: float, colour: str, h: float = 7
) -> str:
    """A labelled bar: words at left, figure at right, the bar below. It takes 24 px; y is the baseline."""
    room = w - width_of(figure, 14, 700) - 10
    out = text(x, y, cut(label, room, 13, 500), theme.ink, 13, 500)
    out += text(x + w, y, figure, theme.ink, 14, 700, "end")
    out += rect(x, y + 7, w, h, h / 2, theme.line)
    filled = w * max(0.0, min(1.0, share))
    if filled > 0:
        out += rect(x, y + 7, max(filled, h), h, h / 2, colour)
    return out


def pill(
    x: float, y: float, words: str, fill: str, ink: str, size: float = 13, edge: str = "", anchor: str = "start"
) -> str:
    """A round label; y is its middle. `anchor` says which end stands at x."""
    w = width_of(words, size, 600) + size * 1.4
    left = x if anchor == "start" else x - w if anchor == "end" else x - w / 2
    h = size * 1.7
    out = rect(left, y - h / 2, w, h, h / 2, fill, edge, 1.4)
    return out + text(left + w / 2, y + size * 0.35, words, ink, size, 600, "middle")


def result_bar(theme: Theme, x: float, y: float, w: float, words: str, h: float = 24) -> str:
    """The vermilion bar that says what came of it."""
    (row, *_), size = fitted(words, w - 20, 14, 600, 1, 9.5)
    return rect(x, y, w, h, h / 2, theme.last) + text(
        x + w / 2, y + h / 2 + size * 0.35, row, theme.on_last, size, 600, "middle"
    )


def flow(
    theme: Theme,
    x: float,
    y: float,
    w: float,
    words: str,
    size: float = 13,
    weight: int = 400,
    lines: int = 2,
    ink: str = "",
) -> tuple[str, float]:
    """Words wrapped in a column; also the height they take."""
    rows, fit = fitted(words, w, size, weight, lines, 9.5)
    out = "".join(text(x, y + at * fit * 1.3, row, ink or theme.quiet, fit, weight) for at, row in enumerate(rows))
    return out, len(rows) * fit * 1.3


class Battle(NamedTuple):
    """What a battle inset shows. `left` and `right` are drawn lead counters."""

    caption: str
    left: str = ""
    right: str = ""
    attack: str = ""  # `attack 12`
    defence: str = ""
    parts: str = ""  # `4 lead +2 inf +1 wpn`
    attack_dice: tuple[int, ...] = ()
    defence_dice: tuple[int, ...] = ()
    attack_total: str = ""
    defence_total: str = ""
    result: str = ""
    consequence: str = ""
    sides: int = 6


def battle_inset(theme: Theme, x: float, y: float, w: float, fight: Battle) -> str:
    """Sums, dice, totals and result; it takes 204 px.

    Draw the lead counters about (x + 44, y + 58) and (x + w - 40, y + 58).
    """
    out = panel(theme, x, y, w, 204, fight.caption) + fight.left + fight.right
    inner, right = x + 78, x + w - 74
    if fight.attack:
        out += text(inner, y + 50, fight.attack, theme.ink, 14, 700)
        out += text(right, y + 50, fight.defence, theme.ink, 14, 700, "end")
    if fight.parts:
        piece, _ = flow(theme, inner, y + 65, right - inner, fight.parts, 10.5, 400, 2)
        out += piece
    die = d6 if fight.sides == 6 else d10
    at = x + 30
    for value in fight.attack_dice:
        out += die(value, at, y + 112, 28)
        at += 34
    if fight.attack_total:
        out += text(at - 10, y + 118, f"= {fight.attack_total}", theme.ink, 17, 700)
    at = x + w - 30
    for value in reversed(fight.defence_dice):
        out += die(value, at, y + 112, 28, dark=True)
        at -= 34
    if fight.defence_total:
        out += text(at + 10, y + 118, f"{fight.defence_total} =", theme.ink, 17, 700, "end")
    if fight.result:
        out += result_bar(theme, x + 14, y + 136, w - 28, fight.result)
    if fight.consequence:
        piece, _ = flow(theme, x + 14, y + 178, w - 28, fight.consequence, 12.5, 500, 2, theme.ink)
        out += piece
    return out


def side_mark(theme: Theme, side: str, x: float, y: float, size: float = 9) -> str:
    """A small sign of who acted: blue square for the Coalition, diamond for the insurgents, nothing for the rules."""
    if side == "coalition":
        return rect(x - size / 2, y - size / 2, size, size, 1.5, theme.coalition)
    if side:
        r = size * 0.68
        fill = FOE if theme.name == "light" else WHITE
        return polygon([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill)
    return ""


def event_list(
    theme: Theme,
    x: float,
    y: float,
    w: float,
    events: Sequence[tuple[str, str, str]],
    step: float = 24,
    size: float = 13,
) -> str:
    """Rows of (number, side, words), newest first and bold; y is the baseline of the first."""
    out = ""
    for at, (label, side, words) in enumerate(events):
        row = y + at * step
        left = x
        if label:
            out += text(x, row, label, theme.quiet, size, 400)
            left = x + 28
        if side:
            out += side_mark(theme, side, left + 5, row - 4.5)
            left += 18
        weight = 600 if at == 0 else 400
        out += text(left, row, cut(words, x + w - left, size, weight), theme.ink, size, weight)
    return out


def legend(
    theme: Theme, x: float, y: float, w: float, entries: Sequence[tuple[str, str]], columns: int = 2, step: float = 26
) -> str:
    """Entries of (drawn sign about (0, 0), words); the sign has 34 by 20 px. y is the middle of the first row."""
    out = ""
    wide = w / columns
    for at, (sign, words) in enumerate(entries):
        left, row = x + (at % columns) * wide, y + (at // columns) * step
        out += f'<g transform="translate({left + 17:.1f},{row:.1f})">{sign}</g>'
        (fit, *_), size = fitted(words, wide - 42, 12.5, 500, 1, 9.5)
        out += text(left + 40, row + 4.4, fit, theme.ink, size, 500)
    return out


def swatch(fill: str, pattern: str = "", edge: str = "", dash: str = "") -> str:
    """A legend sign: a tile of ground with its pattern."""
    out = rect(-15, -9, 30, 18, 3, fill)
    if pattern:
        out += rect(-15, -9, 30, 18, 3, pattern)
    if edge:
        out += rect(-14, -8, 28, 16, 3, "none", edge, 2, dash)
    return out


def choose_swatch(theme: Theme) -> str:
    """A legend sign: ground that may be chosen."""
    return rect(-14, -8, 28, 16, 3, theme.insurgent[2][0]) + lit_rect(-14, -8, 28, 16, 3, theme, width=2.6)


def rule_line(theme: Theme, x: float, y: float, w: float) -> str:
    return path(f"M{x:.1f},{y:.1f}h{w:.1f}", "none", theme.line, 1)
