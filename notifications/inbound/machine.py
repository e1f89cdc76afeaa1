"""Mail that a program wrote: never answered, so that two programs never talk to each other (RFC 3834)."""

import email.message
import re

LIST = "came through a mailing list"
_HEADERS = {
    "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-vacation", "x-mail-autoreply",
    "x-failed-recipients", "x-loop", "feedback-id", "x-cron-env", "x-mailer-daemon",
    "x-ms-exchange-generated-message-source", "x-ms-exchange-inbox-rules-loop", "x-amazon-auto-reply",
}  # fmt: skip
_SUBJECT = re.compile(
    r"^\s*(?:(?:re|aw|sv|vs|antw|odp|ynt)\s*:\s*)*(?:"
    r"(?:auto(?:matic)?|automatische|automatisk|automatiskt|automatiche|automatyczna|autom[aá]tica)[ -]*"
    r"(?:reply|response|antwort|svar|vastaus|risposta|odpowied[zź]|respuesta|resposta|antwoord)"
    r"|autosvar|autoreply|automaattinen vastaus|poissa|out of (?:the )?office|abwesen|abwesenheit|ferie|"
    r"r[eé]ponse automatique|respuesta autom|resposta autom|risposta automatica|automatisch antwoord|"
    r"automatiskt svar|fr[aå]nv|poissaoloilmoitus|olen lomalla|lomalla|nieobecno|автоответ|нет на месте|"
    r"自動返信|自动回复|不在|otomatik yan[ıi]t|on vacation|on leave|vacation reply|"
    r"undeliver|delivery (?:status|failure)|mail delivery|returned mail|failure notice|unzustellbar|"
    r"message not delivered|read:|gelesen:|lu ?:|le[ií]do:|accepted:|declined:|tentative:|invitation:|"
    r"please (?:confirm|verify) your (?:mail|message|email)|challenge[- ]response)",
    re.IGNORECASE,
)
_SENDERS = re.compile(r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|daemon)[@+.-]", re.IGNORECASE)


def reason(parsed: email.message.Message, subject: str) -> str:
    """Why this is no person's mail, in a few words; empty when it seems to be one."""
    submitted = str(parsed.get("Auto-Submitted", "no")).split(";")[0].strip().lower()
    if submitted not in ("no", ""):
        return f"Auto-Submitted {submitted}"[:60]
    if str(parsed.get("Return-Path", "x")).strip() == "<>":
        return "empty return path"
    if parsed.get_content_type() in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return "a report"
    if str(parsed.get("Precedence", "")).strip().lower() in ("bulk", "junk", "auto_reply"):
        return "bulk mail"
    if str(parsed.get("X-Auto-Response-Suppress", "")).strip().lower() in (
        "all",
        "oof",
        "autoreply",
        "dr, oof, autoreply",
    ):
        return "asks for no automatic answer"
    for name, _ in parsed.items():
        if name.lower() in _HEADERS:
            return f"has {name}"[:60]
    if parsed.get_content_type() == "text/calendar" or "text/calendar" in [
        part.get_content_type()
        for part in (parsed.get_payload() if parsed.is_multipart() else [])
        if not isinstance(part, str)
    ]:
        return "a calendar invitation"
    if _SENDERS.search(str(parsed.get("From", ""))):
        return "sent by a mail system"
    if _SUBJECT.match(subject):
        return "the subject of an automatic answer"
    precedence = str(parsed.get("Precedence", "")).strip().lower()
    if precedence == "list" or any(parsed.get(name) is not None for name in ("List-Id", "List-Post")):
        return LIST
    return ""


def is_bounce(parsed: email.message.Message) -> bool:
    """A report that one of our mails did not arrive."""
    if parsed.get_content_type() == "multipart/report":
        return "delivery-status" in str(parsed.get_param("report-type", "delivery-status")).lower()
    return str(parsed.get("Return-Path", "")).strip() == "<>" and "failed" in str(parsed).lower()[:20_000]
