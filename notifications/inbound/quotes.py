"""What is new in a mail: without quotes, signatures and footers, wherever the answer was written.

Above the quote, below it or between its lines: lines without a quote mark count. Quotes without marks
(a header block, then the old mail) end the reading. Of the quote itself only two things are kept for
the caller: printed option lines with a tick in their box, and a template line that was filled in.
"""

import re

import msgspec

MOST_LINES = 2_000


class NewText(msgspec.Struct):
    """The player's own lines in order, and ticked or filled lines of the mail that was answered."""

    lines: list[str] = []
    ticked: list[str] = []
    stopped: str = ""  # `end`, `signature`, or `quote`: why lines after that did not count
    unread: list[str] = []  # a few lines under a signature, to say where reading stopped


_MARK = re.compile(r"^\s*>")
_TICK = re.compile(r"^\s*(?:\[\s*[xX*vV✓✔☑✗✘]\s*\]|\(\s*[xX*vV✓✔]\s*\)|☑|✅|✓|✔)\s*(\d.*)$")
_BOX = re.compile(r"^\s*\[\s*_?\s*\]\s*\d")
_TEMPLATE_ABOVE = re.compile(r"fill in the blanks and send this line back", re.IGNORECASE)
_SIGNATURE = re.compile(r"^(?:--|—|–|-- ?|__|_{3,}|\*{5,})\s*$")

# "On .. wrote:" in the languages of common mail programs. The date or an address must be there as well.
_WROTE = re.compile(
    r"(?:wrote|writes|schrieb|a [eé]crit|escribi[oó]|ha scritto|escreveu|schreef|skrev|kirjoitti|"
    r"napisa[lł](?:\(a\))?|"
    r"napsal(?:\(a\))?|nap[ií]sal(?:\(a\))?|написал(?:\(а\)|а)?|пишет|пише|yazd[ıi]|[ií]rta|έγραψε|a scris|написа|"
    r"кто написал|写道|寫道|のメール|さんは書きました|작성|כתב|كتب)",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\d{1,4}.{0,60}\d|@|<")
_STARTS = re.compile(
    r"^(?:on|am|le|el|il|em|op|den|w dniu|dnia|dne|d[nň]a|pe|kl|v|в|\d|ma|ti|ke|to|pe|la|su|mån|tis|ons|tors|"
    r"fre|lör|sön|"
    r"man|tir|tor|lør|søn|пн|вт|ср|чт|пт|сб|вс|\w{2,12}[.,]?\s+\d|\w+ \w+ <|\"|<|20\d\d|.*\d{4}年|στις)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"^(?:on|am|le|el|il|em|op|den|w dniu|dnia|dne|v|в|\w{2,3}[.,]?|\d{4}年).{1,40}?(?:\d{4}|\d{1,2}[./]\d{1,2}[./]|"
    r"\d{1,2}[:.]\d\d)",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(r"^\s*(?:-{2,}|_{5,}|={5,})\s*[^-_=\s][^-_=]{3,70}?\s*(?:-{2,}|_{5,}|={5,})\s*$")
_FORWARD = re.compile(
    r"^\s*(?:begin forwarded message|anfang der weitergeleiteten|d[eé]but du message|inizio messaggio inoltrato)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\s*\*?(?:from|von|de|da|van|från|fra|lähettäjä|od|от|від|差出人|发件人|寄件者|kimden|feladó|보낸 사람|"
    r"sent|date|gesendet|datum|envoy[eé]|enviado(?: el| em)?|fecha|data|inviato|verzonden|skickat|sendt|dato|"
    r"lähetetty|päivä|"
    r"wys[lł]ano|odesl[aá]no|отправлено|дата|送信日時|日付|发送时间|日期|gönderildi|tarih|k[uü]ldve|보낸 날짜|"
    r"to|an|à|para|a|aan|till|til|vastaanottaja|do|komu|кому|宛先|收件人|kime|c[ií]mzett|받는 사람|"
    r"subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|p[rř]edm[eě]t|тема|件名|主题|"
    r"konu|t[aá]rgy|제목|"
    r"cc|kopie|reply-to)\s*\*?\s*[:：]\s*\*?\s*\S",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"^\s*(?:\W{0,3})(?:sent (?:from|via|with|using) |get outlook|send fra|von meinem .{2,40} gesendet|"
    r"gesendet (?:von|mit|aus|über)|"
    r"envoy[eé] (?:de|depuis|avec|à partir)|enviado (?:desde|do|de|com|con|a partir)|inviato da|"
    r"verzonden (?:vanaf|met|vanuit)|"
    r"skickat från|sendt fra|lähetetty .{2,40}|wys[lł]an[eoy] z|odesl[aá]no z|отправлено (?:с|из|от)|надіслано з|"
    r"iphoneから|発信|发自|從我的|outlook (?:für|pour|para|per|voor) |obtenir outlook|obtener outlook|"
    r".{0,30} ?(?:iphone|ipad|android)'?(?:umdan|'dan|-eszközömről|tan)? (?:gönderildi|küldve)|iphone'umdan|"
    r"diese (?:nachricht|e-?mail) (?:wurde|enth|ist|kann)|this (?:e-?mail|message|communication)(?: \(|,| and|"
    r" is| was| may| has)|"
    r"confidential|disclaimer|vertraulich|avis de confidentialit|aviso (?:legal|de confidencialidad)|"
    r"ce (?:message|courriel) |"
    r"este (?:mensaje|correo|e-?mail|mensagem)|questo messaggio|dit (?:bericht|e-?mail)|det här meddelandet|"
    r"tämä viesti|"
    r"virus-?free|virenfrei|garanti sans virus|libre de virus|"
    r"you received this message because|to unsubscribe|unsubscribe from|manage your subscription)",
    re.IGNORECASE,
)


def new_text(text: str) -> NewText:
    """The lines somebody wrote in answer."""
    lines = text.splitlines()[:MOST_LINES]
    found = NewText()
    silent = False  # under a signature or footer, until a quote comes
    index = 0
    while index < len(lines):
        line = lines[index]
        if _MARK.match(line) and not _own_template(lines, index):
            silent = False
            _from_quote(lines, index, found)
            index += 1
            continue
        header = _quote_header(lines, index)
        if header:
            index += header
            following = next((later for later in lines[index:] if later.strip()), "")
            if not _MARK.match(following):
                found.stopped = found.stopped or "quote"
                _from_bare_quote(lines[index:], found)
                return found
            continue
        if line.strip().lower().rstrip(".!") == "end":
            found.stopped = "end"
            return found
        if not silent and (_SIGNATURE.match(line) or _FOOTER.match(line)):
            silent, found.stopped = True, "signature"
        if silent:
            if line.strip() and len(found.unread) < 5:
                found.unread.append(line.strip()[:200])
        elif tick := _TICK.match(line):
            found.ticked.append(tick[1].strip())
        elif not _BOX.match(line):
            found.lines.append(line[4:] if line.startswith(">>> ") else line)
        index += 1
    return found


def _own_template(lines: list[str], index: int) -> bool:
    """A line `>>> ..` that somebody wrote, not the third quote in a row: no quote stands beside it."""
    if not lines[index].startswith(">>> ") or "__" in lines[index]:
        return False
    above = next((line for line in reversed(lines[:index]) if line.strip()), "")
    below = next((line for line in lines[index + 1 :] if line.strip()), "")
    apart = not above and (index + 1 >= len(lines) or not lines[index + 1].strip())
    return apart or (not _MARK.match(above) and not _MARK.match(below))


def _from_quote(lines: list[str], index: int, found: NewText) -> None:
    """Of a quote one deep: a tick in a printed box, a template that was filled in."""
    body = re.sub(r"^\s*> ?", "", lines[index], count=1)
    if tick := _TICK.match(body):
        found.ticked.append(tick[1].strip())
    elif body.startswith(">>> ") and "__" not in body and index and _TEMPLATE_ABOVE.search(lines[index - 1]):
        found.lines.append(body[4:])


def _from_bare_quote(lines: list[str], found: NewText) -> None:
    """The same where the quote has no marks."""
    for index, line in enumerate(lines):
        if tick := _TICK.match(line):
            found.ticked.append(tick[1].strip())
        elif line.startswith(">>> ") and "__" not in line and index and _TEMPLATE_ABOVE.search(lines[index - 1]):
            found.lines.append(line[4:])


def _quote_header(lines: list[str], index: int) -> int:
    """How many lines here announce a quote; 0 when none does."""
    line = lines[index]
    if not line.strip():
        return 0
    if _ORIGINAL.match(line) or _FORWARD.match(line):
        return 1
    if re.match(r"^\s*_{10,}\s*$", line) and any(_LABEL.match(later) for later in lines[index + 1 : index + 3]):
        return 1
    if _LABEL.match(line) and sum(1 for later in lines[index : index + 6] if _LABEL.match(later)) >= 3:
        return 1
    for count in (1, 2, 3):
        part = lines[index : index + count]
        if len(part) < count or not part[-1].strip() or sum(map(len, part)) > 400:
            break
        if count > 1 and _MARK.match(part[-1]):  # a quote begins there; an announcement is not half inside it
            break
        # An order right above an announcement is not part of it, unless it looks like its first half.
        shorter = any(_is_wrote(_one(part[start:])) for start in range(1, count))
        if _is_wrote(_one(part)) and (not shorter or _DATED.match(line.strip())):
            return count
    return 0


def _one(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def _is_wrote(line: str) -> bool:
    """`On 3 Mar 2026, at 07:40, Fallujah 412 <play@..> wrote:` in any of the languages."""
    if not line.rstrip().endswith((":", "：", ":*")):
        return False
    return bool(_WROTE.search(line) and _WHEN.search(line) and _STARTS.match(line.strip()))
