"""Tieline for Python: bots, a client, builders and signatures. Needs only the standard library."""

from . import blocks, elements, fields
from .app import App, FileStore, InstalledSpace, MemoryStore, OAuthError, TokenStore, Tokens
from .bot import (
    AskResult,
    Bot,
    ClickContext,
    CommandContext,
    CommandOption,
    Context,
    EventContext,
    OptionChoice,
    OptionsContext,
    Run,
    SubmitContext,
    Task,
    TaskRun,
    TooLate,
)
from .client import Client
from .errors import TielineError
from .limits import LimitError
from .modals import modal
from .cursors import CursorFile, CursorStore
from .signatures import SignatureError, is_genuine, sign, signed_request, verify
from .version import VERSION as __version__
from .webhook import IncomingWebhook

__all__ = [
    "App",
    "AskResult",
    "Bot",
    "ClickContext",
    "Client",
    "CommandContext",
    "CommandOption",
    "Context",
    "CursorFile",
    "CursorStore",
    "EventContext",
    "FileStore",
    "IncomingWebhook",
    "InstalledSpace",
    "LimitError",
    "MemoryStore",
    "OAuthError",
    "OptionChoice",
    "OptionsContext",
    "Run",
    "SignatureError",
    "SubmitContext",
    "Task",
    "TaskRun",
    "TielineError",
    "TokenStore",
    "Tokens",
    "TooLate",
    "__version__",
    "blocks",
    "elements",
    "fields",
    "is_genuine",
    "modal",
    "sign",
    "signed_request",
    "verify",
]
