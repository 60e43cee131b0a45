"""From messages of the wire to commands of the tables."""

from __future__ import annotations

from archipel.serve import messages
from archipel.tables import commands

#: Messages that change a table, or try to.
Request = (
    messages.Play
    | messages.TakeBack
    | messages.AgreeToTakeBack
    | messages.AnswerProposal
    | messages.AskForHints
    | messages.Say
    | messages.Resign
    | messages.HandOver
    | messages.ComeBack
    | messages.Rematch
    | messages.PlayOn
    | messages.SetSeat
    | messages.SetOptions
    | messages.SealNonce
    | messages.OpenNonce
    | messages.Begin
    | messages.CloseTable
    | messages.GoOn
)


def command_of(request: Request) -> commands.Command:
    match request:
        case messages.Play(n=n, action=action):
            return commands.Play(n, action)
        case messages.TakeBack(n=n):
            return commands.TakeBack(n)
        case messages.AgreeToTakeBack(n=n, agree=agree):
            return commands.AgreeToTakeBack(n, agree)
        case messages.AnswerProposal(n=n, agree=agree):
            return commands.AnswerProposal(n, agree)
        case messages.AskForHints():
            return commands.AskForHints()
        case messages.Say(phrase=phrase):
            return commands.Say(phrase)
        case messages.Resign():
            return commands.Resign()
        case messages.HandOver(seat=seat):
            return commands.HandOver(seat)
        case messages.ComeBack():
            return commands.ComeBack()
        case messages.Rematch(seal=seal):
            return commands.Rematch(seal)
        case messages.PlayOn(n=n, seal=seal):
            return commands.PlayOn(n, seal)
        case messages.SetSeat(seat=seat, bot=bot):
            return commands.SetSeat(seat, bot)
        case messages.SetOptions(options=options):
            return commands.SetOptions(dict(options))
        case messages.SealNonce(seal=seal):
            return commands.SealNonce(seal)
        case messages.OpenNonce(nonce=nonce):
            return commands.OpenNonce(nonce)
        case messages.Begin():
            return commands.Begin()
        case messages.CloseTable():
            return commands.CloseTable()
        case messages.GoOn(n=n, answer=answer):
            return commands.GoOn(n, answer)


def acting_seat(request: Request) -> int | None:
    """For which of the seats of one device the request is made; None: the only one."""
    match request:
        case messages.HandOver() | messages.SetSeat():
            return None  # there, the seat is whom it is done to
        case (
            messages.Play(seat=seat)
            | messages.TakeBack(seat=seat)
            | messages.AgreeToTakeBack(seat=seat)
            | messages.AskForHints(seat=seat)
            | messages.Say(seat=seat)
            | messages.Resign(seat=seat)
            | messages.ComeBack(seat=seat)
            | messages.SealNonce(seat=seat)
            | messages.OpenNonce(seat=seat)
            | messages.AnswerProposal(seat=seat)
        ):
            return seat
    return None
