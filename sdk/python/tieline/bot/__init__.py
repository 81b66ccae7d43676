"""Bots: the same handlers for polling, socket, push and callbacks."""

from .answers import TooLate
from .bot import Bot
from .contexts import ClickContext, CommandContext, Context, EventContext, OptionsContext, SubmitContext
from .incoming import IncomingEvent
from ..place import CursorFile, CursorStore
from .options import CommandOption, OptionChoice
from .receiver import Receiver, Reply
from .runs import Run, TaskRun
from .tasks import Task

__all__ = [
    "Bot",
    "ClickContext",
    "CommandContext",
    "CommandOption",
    "Context",
    "CursorFile",
    "CursorStore",
    "EventContext",
    "IncomingEvent",
    "OptionChoice",
    "OptionsContext",
    "Receiver",
    "Reply",
    "Run",
    "SubmitContext",
    "Task",
    "TaskRun",
    "TooLate",
]
