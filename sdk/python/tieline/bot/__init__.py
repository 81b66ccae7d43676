"""Bots: the same handlers with polling, socket, push or callbacks."""

from .answers import TooLate
from .approvals import AskResult
from .bot import Bot
from .contexts import ClickContext, CommandContext, Context, EventContext, OptionsContext, SubmitContext
from .activity import Activity as Happening
from ..cursors import CursorFile, CursorStore
from .options import CommandOption, OptionChoice
from .receiver import Receiver, Reply
from .runs import Run, TaskRun
from .tasks import Task

__all__ = [
    "AskResult",
    "Bot",
    "ClickContext",
    "CommandContext",
    "CommandOption",
    "Context",
    "CursorFile",
    "CursorStore",
    "EventContext",
    "Happening",
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
