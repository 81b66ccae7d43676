"""The bots of an app, one per space."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..bot.bot import Bot
from ..bot.bounded_map import BoundedMap
from ..errors import TielineError
from .oauth_client import OAuthClient, OAuthError, installed_space
from .token_stores import InstalledSpace, TokenStore

#: Spaces whose bot stays in memory. Others are set up again when their next event arrives.
_SPACES_IN_MEMORY = 1000
#: Tokens are renewed this long before they expire, in seconds.
_RENEW_BEFORE = 60.0
_UNAUTHORIZED = 401


class AppBots:
    """Returns the bots of an app with tokens that are valid. Thread-safe."""

    def __init__(
        self,
        store: TokenStore,
        oauth: OAuthClient,
        new_bot: Callable[[InstalledSpace], Bot],
    ) -> None:
        self._store, self._oauth, self._new_bot = store, oauth, new_bot
        self._bots: BoundedMap[Bot] = BoundedMap(_SPACES_IN_MEMORY)
        #: All bots with running handlers, also those that the map no longer has.
        self._known: weakref.WeakSet[Bot] = weakref.WeakSet()

    def of(self, space_id: str) -> Bot | None:
        """Returns the bot of a space. None if the app has no valid token of it."""
        space = self._store.get(space_id)
        if space is not None and _is_expiring(space):
            space = self._renew(space)
        if space is None:
            return None
        known = self._bots.get(space_id)
        if known is not None and known.client.token == space.token:
            return known
        bot = self._new_bot(space)
        self._bots.set(space_id, bot)
        self._known.add(bot)
        return bot

    def forget_if_revoked(self, space_id: str) -> None:
        """Deletes the record of a space whose token Tieline refuses."""
        bot = self.of(space_id)
        if bot is None:
            return
        try:
            bot.client.me()
        except TielineError as error:
            if error.status != _UNAUTHORIZED:
                raise
            space = self._store.get(space_id)
            if space is not None and space.expires_at is not None and space.refresh_token is not None:
                self._renew(space)
            else:
                self._store.delete(space_id)

    def stop(self, grace: float) -> None:
        """Waits up to `grace` seconds for running handlers."""
        deadline = time.monotonic() + grace
        for bot in list(self._known):
            bot.stop(max(0.0, deadline - time.monotonic()))

    def _renew(self, expiring: InstalledSpace) -> InstalledSpace | None:
        """Renews a token once, however many events wait for it."""
        space_id = expiring.space_id
        with self._store.lock(space_id):
            space = self._store.get(space_id)
            # Another thread or process was first.
            if space is None or space.token != expiring.token or space.refresh_token is None:
                return space
            try:
                tokens: Any = self._oauth.refresh(space.refresh_token)
            except OAuthError as error:
                if error.code != "invalid_grant":
                    raise
                self._store.delete(space_id)
                return None
            renewed = installed_space(tokens)
            # A refresh token works once, so the new one is stored even if the bot got no token.
            self._store.set(renewed or replace(space, refresh_token=tokens.get("refresh_token", space.refresh_token)))
            return renewed


def _is_expiring(space: InstalledSpace) -> bool:
    return space.expires_at is not None and space.expires_at - time.time() < _RENEW_BEFORE
