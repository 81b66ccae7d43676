"""Polling, pushes and callbacks."""

import io
import json
import logging
import re
import tempfile
import threading
import unittest
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.request import Request, urlopen

from tests.scripted import Asked, Scripted, Told
from tieline import Bot, Client, TielineError, blocks, elements, signed_request
from tieline.bot.activity import to_activity
from tieline.bot import ClickContext, CommandContext, CursorFile, EventContext, OptionsContext, SubmitContext
from tieline.bot.commands import register_commands
from tieline.bot.handlers import matches_pattern
from tieline.cursors import CursorLedger

SECRETS = ["whsec_one_0123456789", "whsec_two_0123456789"]
SOON = 10.0


class Quiet(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))


class Cursors(Quiet):
    def test_moves_past_records_with_nothing_unfinished_before(self) -> None:
        file = self.folder / "cursor"
        place = CursorLedger(CursorFile(file))
        first, second, third = place.enter("1"), place.enter("2"), place.enter("3")
        second()
        self.assertFalse(file.exists())
        first()
        self.assertEqual(file.read_text(), "2")
        third()
        self.assertEqual(CursorLedger(CursorFile(file)).cursor, "3")


class Receiving(Quiet):
    def setUp(self) -> None:
        super().setUp()
        server = self.enterContext(Scripted(lambda asked: (200, {"message_id": "m"})))
        self.server = server
        self.bot = Bot(client=self.enterContext(Client(server.url, "t")), secrets=SECRETS)

    def post(self, payload: Mapping[str, Any], secret: str = SECRETS[1], scheme: Any = "outgoing") -> tuple[int, Any]:
        headers, body = signed_request(scheme, secret, payload)
        reply = self.bot.receiver.receive(headers, body)
        return reply.status, json.loads(reply.body) if reply.body else None

    def click(self, key: str = "t1", **more: Any) -> dict[str, Any]:
        about = {"event_type": "button.click", "action_id": "go", "conversation_id": "c", "data": key}
        return {**about, "response_token": f"tlr_{key}", **more}

    def test_the_trigger_identifies_only_a_command(self) -> None:
        kinds = ("slash.command", "button.click", "modal.submit")
        keys = [to_activity(kind, {"trigger_id": "t"}, "d").key for kind in kinds]
        self.assertEqual(keys, ["t", "d", "d"])

    def test_accepts_only_signed_requests(self) -> None:
        self.assertEqual(self.post(self.click(), "whsec_other_0123456789"), (401, None))
        self.assertEqual(self.bot.receiver.receive({}, b"{}").status, 401)
        headers, _ = signed_request("outgoing", SECRETS[0], b"{}")
        self.assertEqual(self.bot.receiver.receive(headers, b"{ }").status, 401)
        headers, body = signed_request("outgoing", SECRETS[0], b"[]")
        self.assertEqual(self.bot.receiver.receive(headers, body).status, 400)
        self.assertEqual(self.bot.receiver.receive(headers, body, "GET").status, 405)
        self.assertEqual(Bot(client=self.bot.client, secrets=[]).receiver.receive(headers, body).status, 401)

    def test_calls_the_handler_of_every_kind_and_returns_its_answer(self) -> None:
        bot = self.bot

        @bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.update(f"{ctx.data} by {ctx.user_id}", [])

        @bot.select(r"st*")
        def select(ctx: ClickContext) -> None:
            ctx.ephemeral(f"{ctx.value} of {ctx.values}")

        @bot.submit("go")
        def submit(ctx: SubmitContext) -> None:
            ctx.errors({"a": ctx.values["a"]})

        @bot.command("/deploy")
        def command(ctx: CommandContext) -> None:
            ctx.reply(f"{ctx.command} {ctx.text} {ctx.options}")

        @bot.options("version")
        def options(ctx: OptionsContext) -> list[Any]:
            return [ctx.typed, ("Name", "value"), {"name": "n", "value": "v"}]

        answers = [
            self.post(self.click(actor_user_id="u1")),
            self.post(self.click("t2", event_type="select.submit", action_id="stage", selected_value="x", selected_values=["x"])),
            self.post(self.click("t3", event_type="modal.submit", values={"a": "no"})),
            self.post({"trigger_id": "t4", "command": "deploy", "text": "x", "options": {"n": 1}}),
            self.post({"event_type": "command.options", "option": "version", "typed": "v1"}),
            self.post({"event_type": "modal.closed", "action_id": "nobody"}),
        ]
        choices = [{"name": "v1", "value": "v1"}, {"name": "Name", "value": "value"}, {"name": "n", "value": "v"}]
        self.assertEqual(
            answers,
            [
                (200, {"update_message": {"text": "t1 by u1", "metadata_json": ""}}),
                (200, {"ephemeral_text": "x of ['x']"}),
                (200, {"errors": {"a": "no"}}),
                (200, {"response_type": "in_channel", "text": "deploy x {'n': 1}"}),
                (200, {"choices": choices}),
                (200, {}),
            ],
        )

    def test_sends_blocks_with_an_ephemeral_text(self) -> None:
        answered = threading.Event()
        parts = [blocks.actions(elements.button("yes", "Yes"))]

        @self.bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.ephemeral("Sure?", parts)

        @self.bot.submit("go")
        def submit(ctx: SubmitContext) -> None:
            ctx.later()
            ctx.ephemeral("Sure?", parts)
            answered.set()

        @self.bot.command("/deploy")
        def command(ctx: CommandContext) -> None:
            ctx.ephemeral("Sure?", parts)

        carried = blocks.metadata(parts)
        answer = {"ephemeral_text": "Sure?", "metadata_json": carried}
        self.assertEqual(self.post(self.click()), (200, answer))
        self.post(self.click("t3", event_type="modal.submit", values={}))
        self.assertTrue(answered.wait(SOON))
        self.assertEqual([asked.json for asked in self.server.requests], [answer])
        invoked = {"trigger_id": "t4", "command": "deploy", "text": ""}
        self.assertEqual(self.post(invoked), (200, {"text": "Sure?", "metadata_json": carried}))

    def test_handles_a_repeated_request_once_with_the_same_response(self) -> None:
        handled: list[str] = []
        
        @self.bot.click("go")
        def click(ctx: ClickContext) -> None:
            handled.append(ctx.data)
            ctx.ephemeral("hi")

        headers, body = signed_request("outgoing", SECRETS[0], self.click())
        replies = [self.bot.receiver.receive(headers, body) for _ in range(2)]
        self.assertEqual((replies[0], handled), (replies[1], ["t1"]))

    def test_a_failing_handler_fails_the_click(self) -> None:
        self.bot.click("go", lambda ctx: 1 // 0)
        self.assertEqual(self.post(self.click())[0], 500)

    def test_answers_after_later_use_the_token(self) -> None:
        done = threading.Event()

        @self.bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.later()
            ctx.reply("done")
            done.set()

        self.assertEqual(self.post(self.click()), (200, {}))
        self.assertTrue(done.wait(SOON))
        [asked] = self.server.requests
        self.assertEqual((asked.path, asked.json), ("/api/v1/bot/responses/tlr_t1", {"send_message": {"text": "done"}}))

    def push(self, event_id: str) -> tuple[int, Any]:
        envelope = {"event_id": event_id, "event_type": "MESSAGE_CREATED", "conversation_id": "c"}
        return self.post({**envelope, "data": {"text": "say it", "message_id": "m0"}}, scheme="bot_push")

    def test_accepts_a_push_once_it_is_handled(self) -> None:
        @self.bot.message(r"^say (\w+)$")
        def say(ctx: EventContext) -> None:
            ctx.reply(ctx.match[1] if ctx.match else "", thread=True)

        self.assertEqual([self.push("e1"), self.push("e1")], [(200, None), (200, None)])
        [asked] = self.server.requests
        self.assertEqual(asked.json, {"conversation_id": "c", "content": "it", "parent_message_id": "m0"})
        self.assertEqual(asked.headers["idempotency-key"], "e1:0")

    def test_requests_a_push_again_if_its_handler_fails(self) -> None:
        tries: list[int] = []

        @self.bot.event("message.created")
        def fail(ctx: EventContext) -> None:
            tries.append(1)
            if len(tries) == 1:
                raise RuntimeError("no")

        self.assertEqual([self.push("e1")[0], self.push("e1")[0], len(tries)], [503, 200, 2])

    def test_wsgi_application(self) -> None:
        self.bot.click("go", lambda ctx: ctx.ephemeral("hi"))
        headers, body = signed_request("outgoing", SECRETS[0], self.click("w"))
        environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        told: list[Any] = []
        asked = {**environ, "REQUEST_METHOD": "POST", "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
        chunks = self.bot.wsgi_app(asked, lambda status, headers: told.append(status))
        self.assertEqual((told, b"".join(chunks)), (["200 OK"], b'{"ephemeral_text": "hi"}'))

    def test_middleware_runs_around_handlers(self) -> None:
        order: list[str] = []

        @self.bot.use
        def outer(ctx: Any, next: Any) -> None:
            order.append("before")
            next()
            order.append("after")

        self.bot.click("go", lambda ctx: order.append("handler"))
        self.post(self.click())
        self.assertEqual(order, ["before", "handler", "after"])


class Running(Quiet):
    """Runs a bot from start to stop against a scripted server."""

    def serve(self, page: list[dict[str, Any]], commands: list[dict[str, Any]] | None = None) -> Scripted:
        pages = [page]

        def answer(asked: Asked) -> Told:
            if asked.path == "/api/v1/bot/me":
                return 200, {"bot": {"id": "b1", "event_delivery_mode": "none", "event_types": []}}
            if asked.path.startswith("/api/v1/bot/events"):
                return 200, {"events": pages.pop() if pages else []}
            return 200, {"commands": commands or [], "message_id": "m"}

        return self.enterContext(Scripted(answer))

    def record(self, id: str, event_type: str, **payload: Any) -> dict[str, Any]:
        return {"id": id, "event_id": f"e{id}", "event_type": event_type, "payload_json": json.dumps(payload)}

    def test_polls_answers_and_saves_the_cursor(self) -> None:
        server = self.serve(
            [
                self.record("1", "MESSAGE_CREATED", conversation_id="c", text="hi"),
                self.record("2", "button.click", conversation_id="c", action_id="go", interaction_id="i1"),
                {**self.record("3", "MESSAGE_CREATED"), "payload_json": "no JSON"},
            ]
        )
        cursor = self.folder / "cursor"
        bot = Bot(server.url, "t", cursor=cursor)
        bot.message(None, lambda ctx: ctx.reply("hello"))
        bot.click("go", lambda ctx: ctx.open_modal({"title": "x"}))
        bot.start("poll", wait=False)
        server.wait_for(lambda asked: any("cursor=3" in one.path for one in asked))
        bot.stop()
        self.assertEqual(cursor.read_text(), "3")
        sent = {one.path: one.json for one in server.requests if one.method == "POST"}
        self.assertEqual(
            sent,
            {
                "/api/v1/bot/messages": {"conversation_id": "c", "content": "hello"},
                "/api/v1/bot/interactions/i1/respond": {"open_modal": {"title": "x"}},
            },
        )
        [mode] = [one.json for one in server.requests if one.method == "PATCH"]
        self.assertEqual(mode, {"event_delivery_mode": "poll"})

    def test_an_unhandled_record_keeps_the_cursor(self) -> None:
        server = self.serve([self.record("1", "MESSAGE_CREATED", conversation_id="c", text="x")])
        cursor = self.folder / "cursor"
        began = threading.Event()

        def hang(ctx: EventContext) -> None:
            began.set()
            ctx.stopping.wait(SOON)
            raise ConnectionError("not any more")

        bot = Bot(server.url, "t", cursor=cursor)
        bot.message(None, hang)
        bot.start("poll", wait=False)
        self.assertTrue(began.wait(SOON))
        bot.stop()
        self.assertFalse(cursor.exists())

    def test_a_refused_bot_stops_with_the_error(self) -> None:
        server = self.enterContext(Scripted(lambda asked: (401, {"code": "invalid_token"})))
        with self.assertRaises(TielineError) as caught:
            Bot(server.url, "t").start("poll")
        self.assertEqual(caught.exception.code, "invalid_token")
        with self.assertRaises(ValueError):
            Bot(server.url, "t").start("smoke")  # type: ignore[arg-type]

    def test_callbacks_require_secrets(self) -> None:
        server = self.serve([])
        ways: list[Literal["push", "callback"]] = ["push", "callback"]
        for via in ways:
            with self.assertRaises(ValueError) as caught:
                Bot(server.url, "t").start(via)
            self.assertIn("TIELINE_SECRETS", str(caught.exception))

    def test_runs_its_own_server(self) -> None:
        server = self.serve([])
        bot = Bot(server.url, "t", secrets=SECRETS)
        bot.click("go", lambda ctx: ctx.ephemeral("hi"))
        bot.start("callback", host="127.0.0.1", port=0, wait=False)
        headers, body = signed_request("outgoing", SECRETS[0], {"event_type": "button.click", "action_id": "go"})
        asked = Request(f"http://127.0.0.1:{bot.port}/any", data=body, headers=headers)
        with urlopen(asked, timeout=SOON) as reply:
            self.assertEqual((reply.status, reply.read()), (200, b'{"ephemeral_text": "hi"}'))
        bot.stop()
        with self.assertRaises(OSError):
            urlopen(asked, timeout=SOON)

    def test_registers_missing_commands_and_updates_different_ones(self) -> None:
        known: list[dict[str, Any]] = [
            {"id": "1", "name": "same", "description": "x", "options": [{"name": "a", "type": "string", "required": False}]},
            {"id": "2", "name": "other", "description": "x"},
        ]
        server = self.serve([], known)
        same = {"description": "x", "options": [{"name": "a", "type": "string"}]}
        with Client(server.url, "t") as client:
            register_commands(client, "b1", {"same": same, "other": {"description": "y"}, "new": {}})
        written = [(one.method, one.path, one.json) for one in server.requests if one.method != "GET"]
        path = "/api/v1/bots/b1/commands"
        self.assertEqual(written, [("PATCH", f"{path}/2", {"description": "y"}), ("POST", path, {"name": "new"})])


class Names(unittest.TestCase):
    def test_a_pattern_is_a_name_a_prefix_or_a_regular_expression(self) -> None:
        self.assertTrue(matches_pattern("deploy", "deploy"))
        self.assertFalse(matches_pattern("deploy", "deploy-1"))
        self.assertTrue(matches_pattern("deploy-*", "deploy-1"))
        self.assertTrue(matches_pattern(re.compile(r"^d.*1$"), "deploy-1"))
        self.assertTrue(matches_pattern("*", "anything"))
