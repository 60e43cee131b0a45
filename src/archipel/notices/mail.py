"""Mail over the host's SMTP server."""

from __future__ import annotations

import smtplib
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate

from archipel.notices.channels import Channel
from archipel.notices.message import Message
from archipel.notices.settings import MailSettings
from archipel.rules.catalogue import load_catalogue

_SECONDS = 20.0


def notice_mail(settings: MailSettings, channel: Channel, message: Message) -> EmailMessage:
    """A notice as mail. Mail programs offer to stop it with one click (RFC 8058)."""
    details, code = channel.details, f"{channel.id}.{channel.details.stop}"
    sentences = load_catalogue("archipel.notices", message.language)
    page = f"{details.origin}/you#stop={code}"
    stop = sentences.say("mail.stop", link=page)
    title = message.title if len(message.parts) > 1 else message.body
    mail = _mail(settings, channel, title, f"{message.body}\n\n{message.link}\n\n-- \n{stop}\n")
    # The same at every attempt, so that mail programs show it once.
    mail["Message-ID"] = f"<{message.id}.{channel.id}@{_domain(settings)}>"
    mail["List-Unsubscribe"] = f"<{details.origin}/api/mail/stop/{code}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def confirmation_mail(settings: MailSettings, channel: Channel, language: str) -> EmailMessage:
    sentences = load_catalogue("archipel.notices", language)
    link = f"{channel.details.origin}/you#confirm={channel.id}.{channel.details.confirm}"
    subject = sentences.say("mail.confirm.subject")
    mail = _mail(settings, channel, subject, sentences.say("mail.confirm.body", link=link) + "\n")
    mail["Message-ID"] = f"<confirm.{channel.id}@{_domain(settings)}>"
    return mail


def send(settings: MailSettings, mail: EmailMessage) -> None:
    """Send a mail; raises `OSError`, of which `smtplib.SMTPException` is one. Blocks."""
    context = ssl.create_default_context()
    if settings.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.server, settings.port, timeout=_SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(settings.server, settings.port, timeout=_SECONDS)
    with server:
        if settings.security == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, settings.password)
        server.send_message(mail)


def is_permanent(error: OSError) -> bool:
    """Whether an address is refused for good."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code in (550, 551, 553) for code, _ in error.recipients.values())
    return False


def _mail(settings: MailSettings, channel: Channel, subject: str, text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = settings.sender
    mail["To"] = Address(addr_spec=channel.address)
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = formatdate()
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail


def _domain(settings: MailSettings) -> str:
    return settings.sender.rpartition("@")[2].strip(" >")
