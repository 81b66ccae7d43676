"""An app that many spaces install."""

from __future__ import annotations

import hmac
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..bot.bot import Bot, show_log
from ..bot.engine import log
from ..bot.receiver import Reply, Request, scheme_of
from ..bot.server import HttpServer, wsgi
from ..client import Client
from ..signatures import is_genuine
from .app_bots import AppBots
from .oauth_client import OAuthClient, OAuthError, Tokens, installed_space
from .token_stores import InstalledSpace, MemoryStore, TokenStore

_COOKIE = "tieline_install"
_INSTALL_SECONDS = 900
_TEXT = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
_APP_EVENTS = ("APP_INSTALLED", "APP_UNINSTALLED", "TOKENS_REVOKED")


class App:
    """
    An app that many spaces install: it serves the installation, keeps a token per space, and gives
    each event to the bot of its space.

        app = App(["messages:write", "events"], set_up, store=FileStore("tokens.json"))
        app.start()

    :param scopes: scopes to ask for. The bot gets those in the app's `bot_scopes`, the person who
        installs it those in `user_scopes`
    :param set_up: adds handlers to the bot of a space. Called when its first event arrives
    :param store: where tokens are kept. Default: in memory, which a restart empties
    :param url: address of Tieline, its issuer. Default: TIELINE_URL
    :param client_id: Default: TIELINE_CLIENT_ID
    :param client_secret: Default: TIELINE_CLIENT_SECRET
    :param signing_secret: verifies events and clicks. Default: TIELINE_SIGNING_SECRET
    :param app_url: public address of this program. `/install`, `/callback` and `/events` are below
        it. Default: TIELINE_APP_URL
    :param installed: called after an installation with the response of the token endpoint. Returns
        an address to send the browser to, or None
    :param bot: other settings of the bots, such as `{"concurrency": 4}`
    :raises ValueError: a setting is missing
    """

    def __init__(
        self,
        scopes: Sequence[str],
        set_up: Callable[[Bot, InstalledSpace], None],
        *,
        store: TokenStore | None = None,
        url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        signing_secret: str | None = None,
        app_url: str | None = None,
        installed: Callable[[Tokens], str | None] | None = None,
        bot: Mapping[str, Any] | None = None,
    ) -> None:
        self._issuer = _required("url", url).rstrip("/")
        base = _required("app_url", app_url).rstrip("/")
        parts = urlsplit(base)
        self._prefix, self._is_secure = f"{parts.path}/", parts.scheme == "https"
        self._secret = _required("signing_secret", signing_secret)
        self._store = store or MemoryStore()
        self._installed, self._set_up, self._settings = installed, set_up, dict(bot or {})
        self._oauth = OAuthClient(
            self._issuer,
            _required("client_id", client_id),
            _required("client_secret", client_secret),
            f"{base}/callback",
            scopes,
        )
        self._bots = AppBots(self._store, self._oauth, self._new_bot)
        self._server: HttpServer | None = None
        self._stopped = threading.Event()

    def client_of(self, space_id: str) -> Client | None:
        """Returns a client with the token of the bot in a space. None if it has not installed the app."""
        bot = self._bots.of(space_id)
        return None if bot is None else bot.client

    def start(self, *, host: str | None = None, port: int | None = None, wait: bool = True) -> None:
        """
        Listens until `stop`.

        :param host: Default: TIELINE_HOST, else this machine only
        :param port: Default: TIELINE_PORT, else 4000. 0: any free port
        :param wait: False: returns when it listens
        :raises OSError: the port is in use
        """
        address = (os.environ.get("TIELINE_HOST") or "127.0.0.1") if host is None else host
        self._server = HttpServer(self.handle, address, int(os.environ.get("TIELINE_PORT", "4000")) if port is None else port)
        if wait:
            show_log()
        self._server.start()
        if wait:
            self._stopped.wait()

    def stop(self, grace: float = 10.0) -> None:
        """Accepts nothing new and waits up to `grace` seconds for running handlers."""
        server, self._server = self._server, None
        if server is not None:
            server.close()
        self._bots.stop(grace)
        if server is not None:
            server.end()
        self._stopped.set()

    @property
    def port(self) -> int:
        """Port of the app's server."""
        if self._server is None:
            raise RuntimeError("the app does not listen")
        return self._server.port

    @property
    def wsgi_app(self) -> Callable[..., Any]:
        """WSGI application: serves the paths below the path of `app_url`, instead of `start`."""
        return wsgi(self.handle)

    def handle(self, request: Request) -> Reply:
        """Returns the response to a request. Works with any framework."""
        address = urlsplit(request.path)
        route = address.path[len(self._prefix) :] if address.path.startswith(self._prefix) else ""
        allowed = {"events": "POST", "install": "GET", "callback": "GET"}.get(route)
        if allowed is None:
            return Reply(404)
        if request.method != allowed:
            return Reply(405, headers={"allow": allowed})
        if route == "events":
            return self._receive(request)
        return self._install() if route == "install" else self._callback(address.query, request.headers)

    def _new_bot(self, space: InstalledSpace) -> Bot:
        bot = Bot(self._issuer, space.token, secrets=[self._secret], **self._settings)
        self._set_up(bot, space)
        return bot

    def _install(self) -> Reply:
        state = self._oauth.new_state()
        headers = {
            "location": self._oauth.authorize_address(state),
            "cache-control": "no-store",
            "set-cookie": self._cookie(state, _INSTALL_SECONDS),
        }
        return Reply(302, headers=headers)

    def _callback(self, text: str, headers: Mapping[str, str]) -> Reply:
        """Accepts a code only in the browser that began here, and only from this Tieline."""
        query = {name: values[0] for name, values in parse_qs(text).items()}
        state = query.get("state", "")
        is_same = hmac.compare_digest(state.encode(), _cookie_of(headers).encode())
        if not state or not is_same or query.get("iss") != self._issuer:
            return _refused("This installation was not started here. Start it again.")
        if "code" not in query:
            return _refused(f"Not installed: {query.get('error_description') or query.get('error', '')}")
        try:
            tokens = self._oauth.exchange(query["code"], state)
        except OAuthError as error:
            log.warning("could not exchange a code: %s", error)
            return _refused("The installation failed. Start it again.")
        space = installed_space(tokens)
        if space is not None:
            self._store.set(space)
        location = self._installed(tokens) if self._installed else None
        answer = {**_TEXT, "set-cookie": self._cookie("", 0)}
        if location is not None:
            return Reply(302, headers={**answer, "location": location})
        name = tokens["space"]["name"]
        return Reply(200, f"Installed in {name}. You can close this page.".encode(), answer)

    def _receive(self, request: Request) -> Reply:
        known = {name.lower(): value for name, value in request.headers.items()}
        if not is_genuine([self._secret], known, request.body, scheme=scheme_of(known)):
            return Reply(401)
        try:
            payload = json.loads(request.body)
        except ValueError:
            payload = None
        space_id = payload.get("space_id") if isinstance(payload, dict) else None
        if not isinstance(space_id, str):
            return Reply(400)
        if payload.get("event_type") in _APP_EVENTS:
            # An old event may arrive after the space has installed the app again, so the token
            # decides.
            if payload["event_type"] != "APP_INSTALLED":
                self._bots.forget_if_revoked(space_id)
            return Reply(200)
        bot = self._bots.of(space_id)
        # The first events of a space may arrive before its token.
        return Reply(503) if bot is None else bot.receiver.receive(request.headers, request.body)

    def _cookie(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self._is_secure else ""
        return f"{_COOKIE}={value}; Path={self._prefix}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _required(name: str, value: str | None) -> str:
    given = value or os.environ.get(f"TIELINE_{name.upper()}")
    if not given:
        raise ValueError(f"an app needs {name}")
    return given


def _refused(text: str) -> Reply:
    return Reply(400, text.encode(), _TEXT)


def _cookie_of(headers: Mapping[str, str]) -> str:
    given = next((value for name, value in headers.items() if name.lower() == "cookie"), "")
    try:
        morsel = SimpleCookie(given).get(_COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value
