"""Apps: installation, tokens and events."""

import hashlib
import json
import logging
import tempfile
import threading
import time
import unittest
from base64 import urlsafe_b64encode
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, parse_qsl, urlsplit
from urllib.request import urlopen

from tests.scripted import Asked, Scripted, Told
from tieline import App, Bot, EventContext, FileStore, InstalledSpace, MemoryStore, signed_request
from tieline.bot.receiver import Reply, Request

SECRET = "whsec_app_0123456789"
BASE = "https://app.example/tieline"
SPACE = InstalledSpace("s1", "Acme", "b1", "tlb_1")


class Apps(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.tokens: dict[str, Any] = {
            "access_token": "tlb_1",
            "bot": {"id": "b1", "token": "tlb_1"},
            "space": {"id": "s1", "name": "Acme"},
        }
        self.refused: set[str] = set()
        self.server = self.enterContext(Scripted(self.answer))
        self.store = MemoryStore()
        self.heard: list[str] = []
        self.app = self.new_app()
        self.addCleanup(self.app.stop)

    def new_app(self, **more: Any) -> App:
        def set_up(bot: Bot, space: InstalledSpace) -> None:
            @bot.message(r"ping")
            def ping(ctx: EventContext) -> None:
                self.heard.append(space.space_name)

        settings = {"client_id": "app", "client_secret": "tlk_1", "signing_secret": SECRET, "app_url": BASE}
        return App(["messages:write"], set_up, store=self.store, url=self.server.url, **{**settings, **more})

    def answer(self, asked: Asked) -> Told:
        if asked.path == "/oauth/token":
            return (200, self.tokens) if "bot" in self.tokens else (400, self.tokens)
        if asked.headers["authorization"].removeprefix("Bearer ") in self.refused:
            return 401, {"ok": False, "error": "invalid token", "code": "invalid_token"}
        return 200, {"ok": True, "bot": {"id": "b1"}}

    def get(self, path: str, cookie: str = "", app: App | None = None) -> Reply:
        return (app or self.app).handle(Request("GET", f"/tieline/{path}", {"Cookie": cookie}, b""))

    def event(self, event_type: str, space_id: str = "s1", secret: str = SECRET) -> int:
        payload = {
            **{"event_id": f"e-{time.monotonic_ns()}", "event_type": event_type, "space_id": space_id},
            **{"conversation_id": "c", "data": {"text": "ping"}},
        }
        headers, body = signed_request("bot_push", secret, payload)
        return self.app.handle(Request("POST", "/tieline/events", headers, body)).status

    def begin(self) -> tuple[dict[str, str], str]:
        """Begins an installation. Returns the query of the authorization and the cookie."""
        begun = self.get("install")
        self.assertEqual(begun.status, 302)
        cookie, *attributes = begun.headers["set-cookie"].split("; ")
        self.assertEqual(attributes, ["Path=/tieline/", "Max-Age=900", "HttpOnly", "SameSite=Lax", "Secure"])
        return dict(parse_qsl(urlsplit(begun.headers["location"]).query)), cookie

    def test_an_installation_stores_the_token_of_the_space(self) -> None:
        asked, cookie = self.begin()
        self.assertEqual((asked["scope"], asked["redirect_uri"]), ("messages:write", f"{BASE}/callback"))
        answer = self.get(f"callback?code=c1&state={asked['state']}&iss={self.server.url}", cookie)
        self.assertEqual((answer.status, answer.body), (200, b"Installed in Acme. You can close this page."))
        self.assertEqual(self.store.get("s1"), SPACE)
        form = {name: values[0] for name, values in parse_qs(self.server.requests[-1].body.decode()).items()}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        self.assertEqual(urlsafe_b64encode(digest).decode().rstrip("="), asked["code_challenge"])
        self.assertEqual((form["code"], form["client_id"], form["client_secret"]), ("c1", "app", "tlk_1"))

    def test_a_code_is_accepted_only_in_its_browser_and_from_this_tieline(self) -> None:
        asked, cookie = self.begin()
        _, other = self.begin()
        good = f"callback?code=c1&state={asked['state']}&iss={self.server.url}"
        for path, given in [
            (good, ""),
            (good, other),
            (f"callback?code=c1&state={asked['state']}&iss=https://other.example", cookie),
            (f"callback?code=c1&state={asked['state']}", cookie),
            (f"callback?code=c1&iss={self.server.url}", "tieline_install="),
            (f"callback?error=access_denied&state={asked['state']}&iss={self.server.url}", cookie),
        ]:
            with self.subTest(path, cookie=given):
                self.assertEqual(self.get(path, given).status, 400)
        self.assertEqual(self.server.requests, [])
        self.assertIsNone(self.store.get("s1"))

    def test_a_refused_code_installs_nothing(self) -> None:
        asked, cookie = self.begin()
        self.tokens = {"error": "invalid_grant"}
        answer = self.get(f"callback?code=c1&state={asked['state']}&iss={self.server.url}", cookie)
        self.assertEqual(answer.status, 400)
        self.assertIsNone(self.store.get("s1"))

    def test_installed_may_send_the_browser_elsewhere(self) -> None:
        app = self.new_app(installed=lambda tokens: f"https://app.example/{tokens['space']['id']}")
        begun = self.get("install", app=app)
        state = dict(parse_qsl(urlsplit(begun.headers["location"]).query))["state"]
        cookie = begun.headers["set-cookie"].split(";")[0]
        answer = self.get(f"callback?code=c1&state={state}&iss={self.server.url}", cookie, app)
        self.assertEqual((answer.status, answer.headers["location"]), (302, "https://app.example/s1"))

    def test_events_reach_the_bot_of_their_space(self) -> None:
        self.store.set(SPACE)
        self.store.set(InstalledSpace("s2", "Other", "b2", "tlb_2"))
        self.assertEqual([self.event("MESSAGE_CREATED", space) for space in ("s1", "s2", "s3")], [200, 200, 503])
        self.assertEqual(self.heard, ["Acme", "Other"])

    def test_only_signed_requests_are_accepted(self) -> None:
        self.store.set(SPACE)
        self.assertEqual(self.event("MESSAGE_CREATED", secret="whsec_other_0123456789"), 401)
        for payload in (b"[]", b"{}", b"no JSON"):
            headers, body = signed_request("bot_push", SECRET, payload)
            self.assertEqual(self.app.handle(Request("POST", "/tieline/events", headers, body)).status, 400)
        for method, path in [("GET", "events"), ("POST", "install"), ("POST", "callback")]:
            self.assertEqual(self.app.handle(Request(method, f"/tieline/{path}", {}, b"")).status, 405)
        self.assertEqual(self.app.handle(Request("GET", "/install", {}, b"")).status, 404)
        self.assertEqual(self.heard, [])

    def test_a_revoked_token_is_forgotten_and_a_valid_one_stays(self) -> None:
        self.store.set(SPACE)
        self.assertEqual(self.event("APP_UNINSTALLED"), 200)
        self.assertEqual(self.store.get("s1"), SPACE)
        self.refused.add("tlb_1")
        self.assertEqual(self.event("TOKENS_REVOKED"), 200)
        self.assertIsNone(self.store.get("s1"))

    def test_an_expiring_token_is_renewed_once_for_many_threads(self) -> None:
        self.store.set(replace(SPACE, expires_at=time.time() + 10, refresh_token="tlf_1"))
        self.tokens |= {"refresh_token": "tlf_2", "bot": {"id": "b1", "token": "tlb_2", "expires_in": 3600}}
        clients: list[Any] = []
        threads = [threading.Thread(target=lambda: clients.append(self.app.client_of("s1"))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({client.token for client in clients}, {"tlb_2"})
        self.assertEqual([asked.path for asked in self.server.requests], ["/oauth/token"])
        space = self.store.get("s1")
        assert space is not None and space.expires_at is not None
        self.assertEqual(space.refresh_token, "tlf_2")
        self.assertGreater(space.expires_at, time.time() + 3500)

    def test_a_revoked_grant_is_forgotten(self) -> None:
        self.store.set(replace(SPACE, expires_at=0.0, refresh_token="tlf_1"))
        self.tokens = {"error": "invalid_grant"}
        self.assertIsNone(self.app.client_of("s1"))
        self.assertIsNone(self.store.get("s1"))

    def test_missing_settings_are_named(self) -> None:
        for name in ("client_id", "client_secret", "signing_secret", "app_url"):
            with self.assertRaisesRegex(ValueError, name):
                self.new_app(**{name: None})

    def test_serves_over_http_and_wsgi(self) -> None:
        self.app.start(port=0, wait=False)
        with self.assertRaisesRegex(RuntimeError, "listen"):
            self.new_app().port
        self.assertGreater(self.app.port, 0)
        statuses: list[str] = []
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/tieline/callback", "QUERY_STRING": "state=x"}
        self.app.wsgi_app({**environ, "wsgi.input": BytesIO()}, lambda status, _: statuses.append(status))
        self.assertEqual(statuses, ["400 Bad Request"])
        with self.assertRaises(HTTPError) as refused:
            urlopen(f"http://127.0.0.1:{self.app.port}/tieline/callback?state=x")
        with refused.exception as answer:
            self.assertEqual((answer.code, answer.read()), (400, b"This installation was not started here. Start it again."))


class Stores(unittest.TestCase):
    def test_a_file_keeps_tokens_over_a_restart_and_only_its_owner_reads_it(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "tokens.json"
        store = FileStore(path)
        store.set(SPACE)
        store.set(replace(SPACE, space_id="s2", refresh_token="tlf_1"))
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        again = FileStore(path)
        self.assertEqual((again.get("s1"), again.get("s3")), (SPACE, None))
        again.delete("s1")
        self.assertEqual([space["space_id"] for space in json.loads(path.read_text())], ["s2"])

    def test_a_damaged_file_is_not_overwritten(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "tokens.json"
        path.write_text("{")
        with self.assertRaises(ValueError):
            FileStore(path)


if __name__ == "__main__":
    unittest.main()
