"""Errors of registering handlers and commands, and requests that a bot's own server rejects."""

import io
import logging
import re
import socket
import threading
import unittest
import unittest.mock
from typing import Any

from tests.scripted import Scripted
from tieline import Bot, ClickContext, Client, EventContext, TielineError
from tieline.bot.activity import to_activity
from tieline.bot.bot import printable
from tieline.bot.engine import log
from tieline.bot.server import HttpServer

SECRET = "whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE="
ME = {"bot": {"id": "b", "event_delivery_mode": "poll", "event_types": []}}


def nothing(_: Any) -> None:
    """A handler that does nothing."""


class Registering(unittest.TestCase):
    def setUp(self) -> None:
        self.bot = Bot("http://127.0.0.1:9", "tlb_t", secrets=[SECRET])

    def test_a_command_requires_its_slash(self) -> None:
        for name in ("order", "", "/", "/two words", "//order"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "slash"):
                self.bot.command(name, nothing)

    def test_rejects_a_second_handler_for_the_same_pattern(self) -> None:
        for register, name in (
            (self.bot.command, "/order"),
            (self.bot.click, "go"),
            (self.bot.select, "go*"),
            (self.bot.submit, "go"),
            (self.bot.closed, "go"),
            (self.bot.event, "reaction.added"),
            (self.bot.options, "field"),
        ):
            register(name, nothing)  # type: ignore[operator]
            with self.subTest(name), self.assertRaisesRegex(ValueError, "already"):
                register(name, nothing)  # type: ignore[operator]
        self.bot.click(re.compile("a"), nothing)
        with self.assertRaises(ValueError):
            self.bot.click(re.compile("a"), nothing)

    def test_opened_is_an_event(self) -> None:
        self.bot.opened(nothing)
        with self.assertRaisesRegex(ValueError, "already"):
            self.bot.event("dm_opened", nothing)

    def test_contexts_of_feedback_and_openings(self) -> None:
        with Scripted(lambda asked: (200, {"ok": True})) as server, Client(server.url, "tlb_t") as client:
            stopping, responder = threading.Event(), unittest.mock.Mock()
            pressed = to_activity("button.click", {"action_id": "good", "feedback": "positive"}, "k")
            self.assertEqual(ClickContext(client, pressed, stopping, responder).feedback, "positive")
            plain = to_activity("button.click", {"action_id": "go"}, "k")
            self.assertEqual(ClickContext(client, plain, stopping, responder).feedback, "")
            opened = to_activity("DM_OPENED", {"conversation_id": "c", "user_id": "u"}, "k")
            context = EventContext(client, opened, stopping, responder)
            context.prompts({"Status": "What is new?"}, title="Ask")
            context.status("is reading", ["a"])
            self.assertEqual(context.user_id, "u")
            self.assertEqual(
                [(asked.path, asked.json) for asked in server.requests],
                [
                    (
                        "/api/v1/bot/conversations/c/prompts",
                        {"prompts": [{"title": "Status", "message": "What is new?"}], "title": "Ask"},
                    ),
                    ("/api/v1/bot/conversations/c/status", {"text": "is reading", "loading_messages": ["a"]}),
                ],
            )

    def test_accepts_several_message_patterns(self) -> None:
        self.bot.message("a", nothing)
        self.bot.message("a", nothing)
        self.bot.message(None, nothing)
        with self.assertRaises(ValueError):
            self.bot.event("message.created", nothing)

    def test_direct_events_keep_their_names_and_need_no_admin(self) -> None:
        handled: list[str] = []
        direct = ["approval.decided", "agent_run.stop_requested", "shortcut.used", "home.action"]
        for name in [*direct, "APPROVAL_DECIDED"]:
            self.bot.event(name, lambda ctx: handled.append(ctx.type))
        for name in [*direct, "APPROVAL_DECIDED"]:
            activity = to_activity(name, {}, "k")
            self.bot.handlers.handle(EventContext(self.bot.client, activity, threading.Event(), None))  # type: ignore[arg-type]
        self.assertEqual(handled, [*direct, "APPROVAL_DECIDED"])
        self.assertEqual(self.bot.handlers.event_types(), {"APPROVAL_DECIDED"})

    def _start(self, status: int, refusal: dict[str, Any]) -> None:
        def answer(asked: Any) -> Any:
            if asked.path.endswith("/bot/me"):
                return 200, ME
            if asked.method == "GET":
                return 200, {"commands": [], "events": [], "next_cursor": ""}
            return status, {"ok": False, **refusal}

        server = self.enterContext(Scripted(answer))
        bot = Bot(client=self.enterContext(Client(server.url, "tlb_t", retries=0)), cursor="/dev/null")
        bot.command("/order", nothing, options=[{"name": "n", "type": "integer"}])
        bot.start("poll", wait=False)
        bot.stop()

    def test_an_invalid_command_aborts_the_start(self) -> None:
        with self.assertRaises(TielineError) as caught:
            self._start(400, {"error": "options[0].type must be one of …", "code": "invalid_field"})
        self.assertIn("/order", "".join(caught.exception.__notes__))

    def test_logs_a_command_name_taken_by_another_bot(self) -> None:
        with self.assertLogs("tieline", "ERROR") as told:
            self._start(409, {"error": "name taken", "code": "name_taken"})
        self.assertIn("/order", told.output[0])


class Serving(unittest.TestCase):
    def setUp(self) -> None:
        bot = Bot("http://127.0.0.1:9", "tlb_t", secrets=[SECRET])
        self.server = HttpServer(bot.receiver.handle, "127.0.0.1", 0)
        self.server.start()
        self.addCleanup(self.server.end)

    def exchange(self, *lines: str) -> bytes:
        """Returns all data until the server closes the connection or has answered."""
        request = "\r\n".join(["POST / HTTP/1.1", "host: x", *lines, "", ""]).encode()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as connection:
            connection.sendall(request + b"0\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n")
            answer = b""
            while part := connection.recv(4096):
                answer += part
            return answer

    def test_rejects_a_body_without_length_and_closes_the_connection(self) -> None:
        for lines in (["transfer-encoding: chunked"], ["content-length: 5", "transfer-encoding: chunked"]):
            with self.subTest(lines):
                answer = self.exchange(*lines)
                self.assertTrue(answer.startswith(b"HTTP/1.1 411 "), answer)
                self.assertEqual(answer.count(b"HTTP/1.1"), 1)

    def test_rejects_an_ambiguous_length_and_closes_the_connection(self) -> None:
        for lines in (["content-length: 5", "content-length: 6"], ["content-length: +5"], ["content-length: -1"]):
            with self.subTest(lines):
                answer = self.exchange(*lines)
                self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
                self.assertEqual(answer.count(b"HTTP/1.1"), 1)

    def test_listens_only_locally_by_default(self) -> None:
        for env, host, expected in (({}, None, "127.0.0.1"), ({"TIELINE_HOST": "0.0.0.0"}, None, "0.0.0.0"), ({}, "", "0.0.0.0")):
            with self.subTest(env=env, host=host), unittest.mock.patch.dict("os.environ", env):
                bot = Bot("http://127.0.0.1:9", "tlb_t", secrets=[SECRET])
                form: Any = bot._connector_for("callback", "b", host, 0)
                self.addCleanup(form._server.server_close)
                self.assertEqual(form._server.server_address[0], expected)


class Logging(unittest.TestCase):
    def test_escapes_control_characters_in_the_log(self) -> None:
        told = io.StringIO()
        handler = logging.StreamHandler(told)
        handler.setFormatter(printable())
        log.addHandler(handler)
        self.addCleanup(log.removeHandler, handler)
        log.warning("nothing is registered for %s", "go\x1b]52;c;x\x07\x9b2J\n2026 INFO forged")
        self.assertNotRegex(told.getvalue().rstrip("\n"), r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
        self.assertIn("\\x1b]52", told.getvalue())
