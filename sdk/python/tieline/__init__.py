"""Tieline for Python: bots, a client, builders, signatures. Standard library only."""

from . import blocks, elements, fields
from .bot import Bot, Context, TooLate
from .client import Client
from .errors import TielineError
from .limits import LimitError
from .modals import modal
from .place import CursorFile, CursorStore
from .signatures import SignatureError, is_genuine, sign, signed_request, verify
from .version import VERSION as __version__
from .webhook import IncomingWebhook

__all__ = [
    "Bot",
    "Client",
    "Context",
    "CursorFile",
    "CursorStore",
    "IncomingWebhook",
    "LimitError",
    "SignatureError",
    "TielineError",
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
