"""HTML to text: lines as they are seen, hidden words dropped, quotes marked with `>`."""

import re
from html.parser import HTMLParser

_BLOCK = {
    "address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table",
    "tbody", "tfoot", "thead", "title", "tr", "ul",
}  # fmt: skip
_SPACED = {"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"}  # stand apart
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_SILENT = {"head", "style", "script", "title", "template", "noscript", "svg", "object", "select", "textarea"}
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|$|!)|"
    r"opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)|max-height\s*:\s*0|mso-hide\s*:\s*all|"
    r"(?<![-\w])color\s*:\s*(?:#fff(?:fff)?\b|white\b|transparent\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))",
    re.IGNORECASE,
)
# Containers in which mail programs put what is answered.
_QUOTE = re.compile(
    r"\b(?:gmail_quote|gmail_quote_container|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|"
    r"moz-forward-container|ms-outlook-mobile-reference-message|freebirdFormviewer|quoted-reply|mail-quote|"
    r"mail-editor-reference-message-container|isReplyContent|reply-quote|acompli_signature)\b"
)
# Elements after which everything is what is answered.
_REST = re.compile(
    r"\b(?:divRplyFwdMsg|appendonsend|stopSpelling|OutlookMessageHeader|x_divRplyFwdMsg|lineBreakAtBeginningOfMessage_)\b"
)
MOST_DEPTH = 40


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.now = ""
        self.stack: list[tuple[str, bool, bool, bool]] = []  # tag, hides, is a quote, holds a quote
        self.hidden = 0
        self.quoted = 0
        self.held = 0
        self.pre = 0
        self.depth = 0  # of the last line

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        names = f"{given.get('class', '')} {given.get('id', '')} {given.get('name', '')}"
        if _REST.search(names):
            self._break()
            self.lines.append("-----Original Message-----")
        if tag == "br":
            self._break(blank=True)
        elif tag in ("td", "th") and self.now:
            self.now += " "
        elif tag in _BLOCK:
            self._break()
            if tag in _SPACED and "MsoNormal" not in names:  # Outlook's lines are paragraphs without a space
                self._break(blank=True)
        if tag in _VOID:
            return
        hides = tag in _SILENT or "hidden" in given or bool(_HIDDEN.search(given.get("style", "")))
        quotes, holds = tag == "blockquote", tag != "blockquote" and bool(_QUOTE.search(names))
        self.stack.append((tag, hides, quotes, holds))
        self.hidden += hides
        self.quoted += quotes
        self.held += holds
        self.pre += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCK:
            self._break()
        if tag not in [name for name, *_ in self.stack[-MOST_DEPTH:]]:
            return
        while self.stack:
            name, hides, quotes, holds = self.stack.pop()
            self.hidden -= hides
            self.quoted -= quotes
            self.held -= holds
            self.pre -= name == "pre"
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if self.pre:
            first, *more = data.split("\n")
            self.now += first
            for line in more:
                self._break(blank=True)
                self.now = line
            return
        words = re.sub(r"\s+", " ", data)
        self.now += words.lstrip(" ") if not self.now or self.now.endswith(" ") else words

    def _break(self, *, blank: bool = False) -> None:
        """End the line; a block ends one, only a break or a paragraph leaves an empty one."""
        if self.now.strip():
            depth = max(self.quoted, min(self.held, 1))  # programs wrap the quote they make in a box of their own
            if depth != self.depth and self.lines and self.lines[-1]:
                self.lines.append("")  # a quote stands apart
            self.depth = depth
            self.lines.append("> " * min(depth, 9) + self.now.strip())
        elif blank and self.lines and self.lines[-1]:
            self.lines.append("")
        self.now = ""


def to_text(html: str) -> str:
    """What a reader of the HTML sees, line by line."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader._break()
    return "\n".join(reader.lines)
