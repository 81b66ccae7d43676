"""The app's side of OAuth: authorization code with PKCE, and refresh (docs/oauth.md)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from ..transport import Transport
from .token_stores import InstalledSpace

_TIMEOUT = 30.0
#: A response of the token endpoint (docs/oauth.md#token).
Tokens = Mapping[str, Any]


class OAuthError(Exception):
    """A refused request for tokens. `code` is `error` of RFC 6749, such as `invalid_grant`."""

    def __init__(self, code: str, status: int, description: str = "") -> None:
        text = code or f"the token endpoint responded {status}"
        super().__init__(f"{text}: {description}" if description else text)
        self.code, self.status = code, status


class OAuthClient:
    """Requests tokens for an app."""

    def __init__(
        self, url: str, client_id: str, client_secret: str, redirect_uri: str, scopes: Sequence[str]
    ) -> None:
        self._url, self._client_id, self._secret = url, client_id, client_secret
        self._redirect_uri, self._scopes = redirect_uri, scopes

    def new_state(self) -> str:
        """Returns a new `state`."""
        return secrets.token_urlsafe(32)

    def authorize_address(self, state: str) -> str:
        """Returns the address that the browser is sent to."""
        challenge = hashlib.sha256(self._verifier_of(state).encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._redirect_uri,
            "scope": " ".join(self._scopes),
            "state": state,
            "code_challenge": _base64url(challenge),
            "code_challenge_method": "S256",
        }
        return f"{self._url}/oauth/authorize?{urlencode(query)}"

    def exchange(self, code: str, state: str) -> Tokens:
        """
        Exchanges a code.

        :raises OAuthError: refused
        """
        return self._request(
            grant_type="authorization_code",
            code=code,
            code_verifier=self._verifier_of(state),
            redirect_uri=self._redirect_uri,
        )

    def refresh(self, refresh_token: str) -> Tokens:
        """
        Renews a token.

        :raises OAuthError: refused; `invalid_grant` if the grant is revoked
        """
        return self._request(grant_type="refresh_token", refresh_token=refresh_token)

    def _request(self, **parameters: str) -> Tokens:
        form = {**parameters, "client_id": self._client_id, "client_secret": self._secret}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        transport = Transport(self._url)
        try:
            answer = transport.send("POST", "/oauth/token", headers, urlencode(form).encode(), _TIMEOUT, fresh=True)
        finally:
            transport.close()
        try:
            body = json.loads(answer.body)
        except ValueError:
            body = {}
        if not isinstance(body, dict):
            body = {}
        if answer.status == 200:
            return body
        raise OAuthError(str(body.get("error", "")), answer.status, str(body.get("error_description", "")))

    def _verifier_of(self, state: str) -> str:
        """
        Derives the verifier of PKCE from the state by the client secret, so that nothing is stored
        between the two requests, and the browser never sees it.
        """
        return _base64url(hmac.digest(self._secret.encode(), f"pkce:{state}".encode(), "sha256"))


def installed_space(tokens: Tokens) -> InstalledSpace | None:
    """Returns what to store of a response. None if it has no token of a bot."""
    bot, space = tokens.get("bot") or {}, tokens["space"]
    if "token" not in bot:
        return None
    expires_in = bot.get("expires_in")
    return InstalledSpace(
        space_id=space["id"],
        space_name=space["name"],
        bot_id=bot["id"],
        token=bot["token"],
        expires_at=None if expires_in is None else time.time() + expires_in,
        refresh_token=tokens.get("refresh_token"),
    )


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
