"""A letter as an RFC 5322 message: text and HTML alternatives, the board inline by content id."""

from email.headerregistry import Address
from email.mime.image import MIMEImage
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from games.ledger import links
from notifications import addresses, html, plain
from notifications.letters import Letter


def message(letter: Letter, row: Any, to: str, references: list[str]) -> EmailMultiAlternatives:
    """Ready to be handed to a backend. The same row always gives the same Message-ID.

    The envelope sender is the row's own bounce address; readers see one constant From.
    """
    name = f"Fallujah {letter.tag.split()[-1]}" if letter.tag else "Fallujah Server"
    mail = EmailMultiAlternatives(
        subject=plain.ascii_only(letter.subject),
        body=plain.render(letter),
        from_email=addresses.numbered_address("bounce", row.pk),
        to=[to],
        headers={
            "From": str(Address(display_name=name, addr_spec=addresses.from_address())),
            **_headers(letter, row.user, row.message_id, references),
        },
    )
    if letter.reply_to:
        mail.reply_to = [letter.reply_to]
    mail.mixed_subtype = "related"  # type: ignore[attr-defined]
    mail.attach_alternative(html.render(letter), "text/html")
    if letter.picture:
        picture = MIMEImage(letter.picture, "png")
        picture.add_header("Content-ID", f"<{html.PICTURE_ID}>")
        picture.add_header("Content-Disposition", "inline", filename="board.png")
        mail.attach(picture)
    return mail


def _headers(letter: Letter, user: Any, message_id: str, references: list[str]) -> dict[str, str]:
    headers = {
        "Message-ID": message_id,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        **letter.headers,
    }
    if user is not None:
        stop = f"{settings.PUBLIC_URL}/stop/{user.pk}/{links.stop_token(user)}/"
        headers["List-Unsubscribe"] = f"<mailto:{addresses.stop_address(user)}>, <{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    last = letter.in_reply_to or (references[-1] if references else "")
    if last:
        headers["In-Reply-To"] = last
        headers["References"] = " ".join(dict.fromkeys([*references, last]))
    return headers
