"""Apps that many spaces install: installation, tokens and events (docs/sdk.md#apps)."""

from .app import App
from .oauth_client import OAuthError, Tokens
from .token_stores import FileStore, InstalledSpace, MemoryStore, TokenStore

__all__ = ["App", "FileStore", "InstalledSpace", "MemoryStore", "OAuthError", "TokenStore", "Tokens"]
