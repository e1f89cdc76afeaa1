"""Replies as twenty mail programs write them, in twelve languages and every shape, made by the rules of each program.

`corpus()` yields a name, the raw mail and the orders its writer meant. The quoted mail is a real one of ours.
"""

import base64
import html as markup
import itertools
import quopri
from collections.abc import Iterator
from typing import NamedTuple

from games.ledger.selectors import Asked, Offer
from notifications import html, plain
from notifications.ballot import BallotLine, LetteredLine, ballot, template
from notifications.letters import Letter

VERBS = frozenset({"play", "pass", "duck", "stand", "scout", "done", "move"})
NOTATIONS = ("play 21", "play 27", "move 1/8-A 24", "scout A 3", "duck", "pass", "done")


def the_ballot() -> list[BallotLine]:
    return ballot(the_question())


def the_letters() -> list[LetteredLine]:
    return [
        LetteredLine("a", ("play 21", "done"), words="the low card"),
        LetteredLine("b", ("move 1/8-A _", "done"), ("24", "25")),
    ]


def the_question() -> Asked:
    offers = [
        Offer(number, tuple(words.split()), words, f"Option {number} in words", "4.1", "50 %" if number < 3 else "")
        for number, words in enumerate(NOTATIONS, 1)
    ]
    return Asked(31, "north", True, "Turn", "Round 2: play a card or pass.", {}, False, offers)


def the_mail() -> Letter:
    asked = the_question()
    return Letter(
        kind="decision",
        subject="[TD 412] Round 2: play a card or pass",
        headline=asked.prompt,
        game="Toy Duel",
        tag="TD 412",
        side="North",
        lead=["Match 412, Toy Duel. North: you. South: rania."],
        note="pass only if south has played high",
        happened=["South plays 33, die 4.", "North scores 12."],
        board=" 24 Askari West   TEM 2  #  F9 F10\n 30 Muallimin N   TEM 2  +  1/23-B\nHand: 21, 27.",
        ballot=ballot(asked),
        lettered=the_letters(),
        more="There are no other legal answers.",
        template=template(asked),
        foot=[
            "Reply with numbers or words. help, look, why 3, undo, say .., end",
            "Dice: commit 5d1f 0c77 .. at entry 31.",
        ],
        reply_to="m412.north.d31.k1.abcdefghijklmnop@play.example.net",
        page="https://play.example.net/m/412/north.abcdefghijklmnop/",
    )


class Language(NamedTuple):
    key: str
    wrote: str  # {date} {who}
    labels: tuple[str, str, str, str]
    date: str
    phone: str
    original: str
    footer: str


LANGUAGES = [
    Language(
        "en",
        "On {date}, {who} wrote:",
        ("From", "Sent", "To", "Subject"),
        "Tue, Mar 3, 2026 at 7:40 AM",
        "Sent from my iPhone",
        "Original Message",
        "CONFIDENTIALITY NOTICE: pass this on to nobody.",
    ),
    Language(
        "de",
        "Am {date} schrieb {who}:",
        ("Von", "Gesendet", "An", "Betreff"),
        "03.03.2026 um 07:40",
        "Von meinem iPhone gesendet",
        "Ursprüngliche Nachricht",
        "Diese E-Mail enthält vertrauliche Informationen.",
    ),
    Language(
        "fr",
        "Le {date}, {who} a écrit :",
        ("De", "Envoyé", "À", "Objet"),
        "mar. 3 mars 2026 à 07:40",
        "Envoyé de mon iPhone",
        "Message d'origine",
        "Ce message est confidentiel.",
    ),
    Language(
        "es",
        "El {date}, {who} escribió:",
        ("De", "Enviado el", "Para", "Asunto"),
        "mar, 3 mar 2026 a las 7:40",
        "Enviado desde mi iPhone",
        "Mensaje original",
        "Este mensaje es confidencial.",
    ),
    Language(
        "it",
        "Il giorno {date} {who} ha scritto:",
        ("Da", "Inviato", "A", "Oggetto"),
        "mar 3 mar 2026 alle ore 07:40",
        "Inviato da iPhone",
        "Messaggio originale",
        "Questo messaggio è riservato.",
    ),
    Language(
        "pt",
        "Em {date}, {who} escreveu:",
        ("De", "Enviado", "Para", "Assunto"),
        "ter., 3 de mar. de 2026 às 07:40",
        "Enviado do meu iPhone",
        "Mensagem original",
        "Este e-mail é confidencial.",
    ),
    Language(
        "nl",
        "Op {date} schreef {who}:",
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        "di 3 mrt 2026 om 07:40",
        "Verzonden vanaf mijn iPhone",
        "Oorspronkelijk bericht",
        "Dit bericht is vertrouwelijk.",
    ),
    Language(
        "sv",
        "Den {date} skrev {who}:",
        ("Från", "Skickat", "Till", "Ämne"),
        "tis 3 mars 2026 kl 07:40",
        "Skickat från min iPhone",
        "Ursprungligt meddelande",
        "Det här meddelandet är konfidentiellt.",
    ),
    Language(
        "fi",
        "{who} kirjoitti {date}:",
        ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
        "ti 3.3.2026 klo 7.40",
        "Lähetetty iPhonesta",
        "Alkuperäinen viesti",
        "Tämä viesti on luottamuksellinen.",
    ),
    Language(
        "pl",
        "W dniu {date} {who} napisał(a):",
        ("Od", "Wysłano", "Do", "Temat"),
        "3.03.2026 o 07:40",
        "Wysłane z iPhone'a",
        "Wiadomość oryginalna",
        "Disclaimer: wiadomość poufna.",
    ),
    Language(
        "ru",
        "{date}, {who} написал(а):",
        ("От", "Отправлено", "Кому", "Тема"),
        "вт, 3 мар. 2026 г. в 07:40",
        "Отправлено с iPhone",
        "Исходное сообщение",
        "Confidential: передавать нельзя.",
    ),
    Language(
        "ja",
        "{date} {who} のメール:",
        ("差出人", "送信日時", "宛先", "件名"),
        "2026年3月3日(火) 7:40",
        "iPhoneから送信",
        "元のメッセージ",
        "Confidential: 転送禁止",
    ),
]


class Client(NamedTuple):
    key: str
    quote: str  # marks, bare (header block), line (original message line)
    body: str  # plain, both, html
    encoding: str  # 7bit-ish utf-8 as 8bit, qp, base64
    flowed: bool = False
    markup: str = "blockquote"  # how HTML quotes
    mailer: str = ""


CLIENTS = [
    Client("gmail-web", "marks", "both", "qp", markup="gmail"),
    Client("gmail-android", "marks", "both", "base64", markup="gmail"),
    Client("gmail-ios", "marks", "both", "8bit", markup="gmail"),
    Client("apple-mail", "marks", "both", "qp", mailer="Apple Mail (2.3774)"),
    Client("iphone", "marks", "both", "qp", mailer="iPhone Mail (22A)"),
    Client("outlook-desktop", "bare", "both", "base64", markup="outlook"),
    Client("outlook-web", "bare", "html", "qp", markup="outlook-web"),
    Client("outlook-ios", "bare", "html", "base64", markup="outlook-web"),
    Client("outlook-classic", "line", "plain", "8bit"),
    Client("thunderbird", "marks", "plain", "8bit", flowed=True, mailer="Mozilla Thunderbird"),
    Client("thunderbird-html", "marks", "both", "8bit", mailer="Mozilla Thunderbird"),
    Client("yahoo", "marks", "html", "base64", markup="yahoo"),
    Client("proton", "marks", "both", "base64", markup="proton"),
    Client("gmx", "marks", "html", "qp"),
    Client("k9", "marks", "plain", "qp"),
    Client("mutt", "marks", "plain", "8bit", mailer="Mutt 2.2"),
    Client("fastmail", "marks", "both", "qp"),
    Client("samsung", "line", "both", "base64", markup="outlook-web"),
    Client("zoho", "marks", "html", "qp", markup="zoho"),
    Client("evolution", "marks", "plain", "qp", flowed=True),
    Client("roundcube", "marks", "plain", "8bit", flowed=True),
    Client("mailru", "marks", "html", "base64"),
]


class Writing(NamedTuple):
    key: str
    lines: list[str]  # what the person writes
    means: list[str]  # the orders it stands for
    signed: str = ""  # dashes, phone, footer
    tick: int = 0  # tick this line in the quote
    where: str = "top"  # top, bottom, inline


WRITINGS = [
    Writing("number", ["3"], ["move 1/8-A 24"]),
    Writing("number with stop", ["6."], ["pass"]),
    Writing("numbers", ["1, 7 Done."], ["play 21", "done", "done"]),
    Writing("several numbers", ["2 5"], ["play 27", "duck"]),
    Writing("words", ["play 27"], ["play 27"]),
    Writing("two lines", ["play 21", "done"], ["play 21", "done"]),
    Writing("capital and stop", ["Play 27."], ["Play 27"]),
    Writing("phone dash", ["Move 1/8\u2013A 24"], ["Move 1/8-A 24"]),
    Writing("non-breaking spaces", ["play\u00a027"], ["play 27"]),
    Writing("zero width", ["play\u200b 27\u200e"], ["play 27"]),
    Writing("soft hyphen", ["du\u00adck"], ["duck"]),
    Writing("bullets", ["- play 21", "\u2022 done"], ["play 21", "done"]),
    Writing("semicolons", ["play 21; done"], ["play 21; done"]),
    Writing("with greeting", ["Hi there,", "", "I will go with", "duck", "", "Best wishes", "Tom"], ["duck"]),
    Writing("only a remark", ["sounds good, let me think about it over the weekend"], []),
    Writing("a sentence with a number", ["I think 4 is best but wait"], []),
    Writing("pass in a sentence", ["I will pass on this for now"], []),
    Writing("signature", ["4", ""], ["scout A 3"], signed="dashes"),
    Writing("phone signature", ["pass", ""], ["pass"], signed="phone"),
    Writing("confidential footer", ["duck", ""], ["duck"], signed="footer"),
    Writing("end", ["play 21", "end", "play 27", "pass"], ["play 21"]),
    Writing("comment", ["play 21 // the high one later"], ["play 21"]),
    Writing("bottom", ["2"], ["play 27"], where="bottom"),
    Writing("bottom with signature", ["play 21", "done", ""], ["play 21", "done"], where="bottom", signed="dashes"),
    Writing("inline", ["5"], ["duck"], where="inline"),
    Writing("tick", [], ["scout A 3"], tick=4),
    Writing("tick and thanks", ["Thanks!"], ["play 21"], tick=1),
    Writing("empty", ["", ""], []),
    Writing("emoji", ["duck \U0001f44d"], ["duck"]),
    Writing("smart quotes remark", ["\u201cNice\u201d one, Rania\u2019s luck"], []),
    Writing("full width", ["\uff13"], ["move 1/8-A 24"]),
    Writing("say", ["say pass me the salt", "pass"], ["pass"]),
    Writing("option word", ["option 2"], ["play 27"]),
    Writing("range", ["1..2"], ["play 21", "play 27"]),
    Writing("then", ["pass", "then duck"], ["pass", "then duck"]),
    # --- ready-made answers, ranges and other ways to name lines -----------------------------------
    Writing("letter", ["a"], ["play 21", "done"]),
    Writing("letter with stop", ["A."], ["play 21", "done"]),
    Writing("letter and blank", ["b 25"], ["move 1/8-A 25", "done"]),
    Writing("letter without its blank", ["b"], []),
    Writing("letter with a wrong blank", ["b 99"], []),
    Writing("letter begins a sentence", ["a good idea, that"], []),
    Writing("letter nobody offered", ["f"], []),
    Writing("all of a range", ["all 1..2"], ["play 21", "play 27"]),
    Writing("range in words", ["1 to 2"], ["play 21", "play 27"]),
    Writing("range with a dash", ["1-2"], ["play 21", "play 27"]),
    Writing("range with an ellipsis", ["1\u20262"], ["play 21", "play 27"]),
    Writing("lines", ["lines 1 to 2"], ["play 21", "play 27"]),
    Writing("hash", ["#2"], ["play 27"]),
    Writing("nr", ["nr 2"], ["play 27"]),
    Writing("bracket", ["(2)"], ["play 27"]),
    Writing("in quotes", ["\u201c2\u201d"], ["play 27"]),
    Writing("and", ["2 and 5"], ["play 27", "duck"]),
    Writing("ampersand", ["2 & 5"], ["play 27", "duck"]),
    Writing("commas and done", ["2, 5, done"], ["play 27", "duck", "done"]),
    Writing("numbers far apart", ["4", "", "", "5"], ["scout A 3", "duck"]),
    Writing("right to left mark", ["\u200f4"], ["scout A 3"]),
    Writing("words after a number", ["5 thanks a lot"], []),
    Writing("please after an option", ["option 2, please"], []),
    Writing("no such line", ["17"], []),
    # --- orders in other clothes --------------------------------------------------------------------
    Writing("shouting", ["PLAY 27!"], ["PLAY 27"]),
    Writing("tabs", ["play\t27"], ["play 27"]),
    Writing("numbered list", ["1. play 27", "2. done"], ["play 27", "done"]),
    Writing("lettered list", ["a) play 27", "b) done"], ["play 27", "done"]),
    Writing("stars", ["* duck"], ["duck"]),
    Writing("minus sign", ["move 1/8\u2212A 24"], ["move 1/8-A 24"]),
    Writing("fraction in one glyph", ["move \u215b-A 24"], ["move 1/8-A 24"]),
    Writing("line broken at plus", ["move 1/8-A+", "1/8-B 24"], ["move 1/8-A+ 1/8-B 24"]),
    Writing("line broken at a comma", ["play 21,", "done"], ["play 21, done"]),
    Writing("guard", ["then if won play 27"], ["then if won play 27"]),
    Writing("guard with a name", ["if alive(#4) play 27"], ["if alive(#4) play 27"]),
    Writing("two guards", ["unless lost and round<3 duck"], ["unless lost and round<3 duck"]),
    Writing("stop if", ["play 21", "stop if pinned", "duck"], ["play 21", "stop if pinned", "duck"]),
    Writing("then on its own line", ["pass;", "then duck; then done"], ["pass", "then duck; then done"]),
    Writing("own template", [">>> play 27"], ["play 27"]),
    Writing("unfilled template", [">>> play ____"], []),
    # --- ticks ----------------------------------------------------------------------------------------
    Writing("tick and the same number", ["4"], ["scout A 3"], tick=4),
    Writing("tick and another number", ["5"], [], tick=4),
    Writing("tick and done", ["done"], ["scout A 3", "done"], tick=4),
    Writing("typed tick", ["[v] 4 scout A 3"], ["scout A 3"]),
    Writing("check mark", ["\u2611 4 scout A 3"], ["scout A 3"]),
    Writing("tick on an edited line", ["[x] 3 scout A 9"], []),
    Writing("box without a tick", ["[ ] 3 move 1/8-A 24"], []),
    # --- what is not an order -------------------------------------------------------------------------
    Writing("order quoted by hand", ["> pass"], []),
    Writing("end in capitals", ["duck", "END", "pass"], ["duck"]),
    Writing("end alone", ["end"], []),
    Writing("below dashes", ["-- ", "4"], []),
    Writing("below a phone line", ["Sent from my iPhone", "4"], []),
    Writing("said in a paragraph", ["say:", "play 21 was luck", "pass me the salt", "", "duck"], ["duck"]),
    Writing("said at once", ["say! pass", "duck"], ["duck"]),
    Writing("note", ["note play 27 next time", "duck"], ["duck"]),
    Writing("claim", ["claim 48 he may not pass there", "duck"], ["duck"]),
    Writing("comment only", ["// play 21"], []),
    Writing("a question", ["pass?"], []),
    Writing("passing", ["Passing on to the weekend, sorry"], []),
    Writing("no idea", ["No idea what to do", "yes I know"], []),
    Writing("a look-alike letter", ["p\u0430ss", "d\u03c5ck"], []),
    Writing("another match", ["[TD 999]", "4"], []),
    Writing("a long remark", ["Well.", "That was a fight.", "4 dead and 2 lost, I think.", "More tomorrow."], []),
    Writing("commands only", ["look 24", "why 3", "log 1-4"], []),
]

WHO = "Fallujah 412 <play@play.example.net>"


def corpus() -> Iterator[tuple[str, bytes, list[str]]]:
    """Every program in every language, the shapes in rotation; more than 790 mails."""
    shapes = itertools.cycle(WRITINGS)
    for client, language in itertools.product(CLIENTS, LANGUAGES):
        for _ in range(3):
            writing = next(shapes)
            while not _possible(client, writing):
                writing = next(shapes)
            yield f"{client.key}/{language.key}/{writing.key}", mail(client, language, writing), writing.means


def _possible(client: Client, writing: Writing) -> bool:
    """Below or inside a quote that has no marks nobody can tell who wrote what."""
    return client.quote == "marks" or writing.where == "top"


def mail(client: Client, language: Language, writing: Writing, quoted: list[str] | None = None, **given: str) -> bytes:
    """A mail of that program. `quoted` is the text it answers, ours of match 412 unless given; so are headers."""
    text, page = _plain(client, language, writing, quoted), _html(client, language, writing, quoted)
    ident = f"<{abs(hash((client.key, language.key, writing.key)))}@example.org>"
    headers = [
        f"From: Tom Brandt <{given.get('sender', 'tom@example.org')}>",
        f"To: {given.get('to', 'm412.north.d31.k1.abcdefghijklmnop@play.example.net')}",
        f"Subject: {given.get('subject', 'Re: [TD 412] Round 2: play a card or pass')}",
        f"Message-ID: {given.get('message_id', ident)}",
        f"In-Reply-To: {given.get('answers', '<d31.decision.m412.north.0011223344556677@play.example.net>')}",
        "Date: Tue, 03 Mar 2026 07:41:00 +0100",
        "MIME-Version: 1.0",
        *([f"X-Mailer: {client.mailer}"] if client.mailer else []),
    ]
    flowed = "; format=flowed" if client.flowed else ""
    parts = []
    if client.body in ("plain", "both"):
        parts.append(
            _part(f"text/plain; charset=utf-8{flowed}", _flow(text) if client.flowed else text, client.encoding)
        )
    if client.body in ("html", "both"):
        parts.append(_part("text/html; charset=utf-8", page, client.encoding))
    if len(parts) == 1:
        return "\r\n".join(headers).encode() + b"\r\n" + parts[0]
    body = b"".join(b"\r\n--=_cut\r\n" + part for part in parts) + b"\r\n--=_cut--\r\n"
    headers.append('Content-Type: multipart/alternative; boundary="=_cut"')
    return "\r\n".join(headers).encode() + b"\r\n\r\n" + body


def _part(kind: str, text: str, encoding: str) -> bytes:
    raw = text.replace("\n", "\r\n").encode()
    if encoding == "base64":
        raw = base64.encodebytes(raw).replace(b"\n", b"\r\n")
    elif encoding == "qp":
        raw = quopri.encodestring(raw.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    name = {"qp": "quoted-printable"}.get(encoding, encoding)
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {name}\r\n\r\n".encode() + raw


def _flow(text: str) -> str:
    """Long lines broken softly, as RFC 3676 programs do; quoted ones keep their marks."""
    out = []
    for line in text.split("\n"):
        marks, body = ("> ", line[2:]) if line.startswith("> ") else ("", line)
        body = f" {body}" if not marks and body.startswith((" ", ">", "From ")) else body
        while len(body) > 66 and " " in body[:66]:
            cut = body[:66].rindex(" ") + 1
            out.append(marks + body[:cut])
            body = body[cut:]
        out.append(marks + body.rstrip() if body != "-- " else body)
    return "\n".join(out)


def _quoted_lines(writing: Writing) -> list[str]:
    lines = plain.render(the_mail()).splitlines()
    if writing.tick:
        lines = [line.replace("[ ]", "[x]", 1) if line.startswith(f" [ ] {writing.tick} ") else line for line in lines]
    return lines


def _signature(language: Language, writing: Writing) -> list[str]:
    return {
        "": [],
        "dashes": ["-- ", "Tom Brandt", "7 Duck Lane", "pass"],
        "phone": [language.phone],
        "footer": ["", language.footer, "pass", "play 21"],
    }[writing.signed]


def _header(client: Client, language: Language) -> list[str]:
    if client.quote == "marks":
        line = language.wrote.format(date=language.date, who=WHO)
        if len(line) > 76:  # some programs break it
            cut = line[:70].rindex(" ")
            return [line[:cut], line[cut + 1 :]]
        return [line]
    one, two, three, four = language.labels
    block = [f"{one}: {WHO}", f"{two}: {language.date}", f"{three}: tom@example.org", f"{four}: [TD 412] Round 2"]
    return [f"-----{language.original}-----" if client.quote == "line" else "_" * 32, *block, ""]


def _plain(client: Client, language: Language, writing: Writing, old: list[str] | None = None) -> str:
    quoted = _quoted_lines(writing) if old is None else old
    if client.quote == "marks":
        quoted = [f"> {line}" if line else ">" for line in quoted]
    header, signature = _header(client, language), _signature(language, writing)
    if writing.where == "bottom":
        lines = [*header, *quoted, "", *writing.lines, *signature]
    elif writing.where == "inline":
        half = len(quoted) // 2
        lines = [*header, *quoted[:half], "", *writing.lines, "", *quoted[half:]]
    else:
        lines = [*writing.lines, *signature, "", *header, *quoted]
    return "\n".join(lines) + "\n"


def _html(client: Client, language: Language, writing: Writing, answered: list[str] | None = None) -> str:
    def paragraphs(lines: list[str]) -> str:
        return "".join(f"<div>{markup.escape(line) or '<br>'}</div>" for line in lines)

    if writing.tick or answered is not None:
        lines = _quoted_lines(writing) if answered is None else answered
        quoted = "\n".join(f"<div>{markup.escape(line)}</div>" for line in lines)  # SMTP takes no endless line
    else:
        quoted = html.render(the_mail())
        quoted = quoted[quoted.index("<body") : quoted.index("</body>")].replace("<body", "<div") + "</div>"
    wrote = markup.escape(language.wrote.format(date=language.date, who=WHO))
    own, signature = paragraphs(writing.lines), paragraphs(_signature(language, writing))
    labels = language.labels
    block = "".join(
        f"<b>{label}:</b> {markup.escape(value)}<br>"
        for label, value in zip(labels, (WHO, language.date, "tom@example.org", "[TD 412] Round 2"), strict=True)
    )
    if client.markup == "gmail":
        attribution = f'<div dir="ltr" class="gmail_attr">{wrote}<br></div>'
        old = f'<div class="gmail_quote">{attribution}<blockquote class="gmail_quote">{quoted}</blockquote></div>'
    elif client.markup == "outlook":
        old = f'<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">{block}</p></div>{quoted}'
    elif client.markup == "outlook-web":
        old = f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr">{block}</div>{quoted}'
    elif client.markup == "yahoo":
        old = f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div>{wrote}</div>{quoted}</div>'
    elif client.markup == "proton":
        inner = f'<blockquote class="protonmail_quote" type="cite">{quoted}</blockquote>'
        old = f'<div class="protonmail_quote">{wrote}<br>{inner}</div>'
    elif client.markup == "zoho":
        old = f'<div class="zmail_extra" id="zmail_1">{wrote}<blockquote>{quoted}</blockquote></div>'
    else:
        old = f'<div>{wrote}</div><blockquote type="cite">{quoted}</blockquote>'
    if writing.where == "bottom":
        return f"<html><head><style>p{{margin:0}}</style></head><body>{old}{own}{signature}</body></html>"
    if writing.where == "inline":
        rest = f"<blockquote>{paragraphs(['There are no other legal answers.'])}</blockquote>"
        return f"<html><body>{old}{own}{rest}</body></html>"
    return f"<html><head><style>p{{margin:0}}</style></head><body>{own}{signature}{old}</body></html>"
