"""Bots: the same handlers by polling, socket, push or callbacks."""

from .answers import TooLate
from .bot import Bot
from .contexts import ClickContext, CommandContext, Context, EventContext, OptionsContext, SubmitContext
from .happening import Happening
from ..place import CursorFile, CursorStore
from .receiver import Receiver, Reply
from .runs import Run
from .tasks import Task

__all__ = [
    "Bot",
    "ClickContext",
    "CommandContext",
    "Context",
    "CursorFile",
    "CursorStore",
    "EventContext",
    "Happening",
    "OptionsContext",
    "Receiver",
    "Reply",
    "Run",
    "SubmitContext",
    "Task",
    "TooLate",
]
