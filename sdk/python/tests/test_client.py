"""Tests of the client against a real HTTP server."""

import json
import os
import re
import socket
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.scripted import Asked, Scripted, Told
from tieline import Client, CursorFile, IncomingWebhook, TielineError, verify
from tieline import client as client_module
from tieline.retries import name_of, pause_before, retry_after, takes_key

SENT = {"ok": True, "message_id": "m1"}


def answers(*told: Told) -> "list[Told]":
    return list(told)


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        # Delays have their own tests. Here they would only take time.
        self.pauses: list[float | None] = []
        patched = mock.patch.object(client_module, "pause_before", self._no_pause)
        patched.start()
        self.addCleanup(patched.stop)

    def _no_pause(self, failures: int, asked: float | None) -> float:
        self.pauses.append(asked)
        return 0.0

    def serve(self, *told: Told) -> tuple[Scripted, Client]:
        """Gives these responses in turn, the last one forever."""
        left = list(told)
        server = Scripted(lambda asked: left.pop(0) if len(left) > 1 else left[0])
        self.enterContext(server)
        return server, self.enterContext(Client(server.url, "tlb_secret", timeout=5))

    def test_a_call(self) -> None:
        server, client = self.serve((200, SENT))
        self.assertEqual(client.send("c1", "Grüße", blocks=[{"type": "divider"}], thread="m0"), SENT)
        [asked] = server.requests
        self.assertEqual((asked.method, asked.path), ("POST", "/api/v1/bot/messages"))
        self.assertEqual(asked.headers["authorization"], "Bearer tlb_secret")
        self.assertRegex(asked.headers["user-agent"], r"^tieline-python/\d")
        self.assertEqual(
            asked.json,
            {
                "conversation_id": "c1",
                "content": "Grüße",
                "metadata_json": '{"version": 1, "blocks": [{"type": "divider"}]}',
                "parent_message_id": "m0",
            },
        )

    def test_status_prompts_and_titles(self) -> None:
        server, client = self.serve((200, {"ok": True}))
        client.set_status("c/1", "is reading", thread="m", loading_messages=["a"])
        client.clear_status("c1", thread="m")
        client.set_prompts("c1", {"Status": "What is new?"}, title="Ask")
        client.set_prompts("c1", {})
        client.title_thread("m/1", "Release")
        client.title_thread("m1", None)
        self.assertEqual(
            [(asked.method, asked.path, asked.body and asked.json) for asked in server.requests],
            [
                (
                    "PUT",
                    "/api/v1/bot/conversations/c%2F1/status",
                    {"text": "is reading", "thread_id": "m", "loading_messages": ["a"]},
                ),
                ("DELETE", "/api/v1/bot/conversations/c1/status?thread_id=m", b""),
                (
                    "PUT",
                    "/api/v1/bot/conversations/c1/prompts",
                    {"prompts": [{"title": "Status", "message": "What is new?"}], "title": "Ask"},
                ),
                ("PUT", "/api/v1/bot/conversations/c1/prompts", {"prompts": []}),
                ("PATCH", "/api/v1/bot/threads/m%2F1", {"title": "Release"}),
                ("PATCH", "/api/v1/bot/threads/m1", {"title": None}),
            ],
        )

    def test_warnings_of_the_server_are_logged(self) -> None:
        _, client = self.serve((200, {**SENT, "warnings": ["unknown field: contnt\x1b[2J"]}))
        with self.assertLogs("tieline", "WARNING") as told:
            client.send("c1", "x")
        self.assertEqual(told.records[0].getMessage(), "POST /api/v1/bot/messages: unknown field: contnt\x1b[2J")

    def test_an_error_contains_advice(self) -> None:
        told = {"ok": False, "error": "bot not in conversation", "code": "bot_not_in_conversation"}
        _, client = self.serve((403, told))
        with self.assertRaises(TielineError) as caught:
            client.send("c1", "x")
        self.assertRegex(str(caught.exception), r"403 bot not in conversation \(bot_not_in_conversation\); .*client\.join")

    def test_an_error_contains_the_details(self) -> None:
        told = {"ok": False, "error": "content too long", "code": "invalid_field", "field": "content"}
        server, client = self.serve((400, told, {"x-request-id": "r1"}))
        with self.assertRaises(TielineError) as caught:
            client.call("POST", "/api/v1/bot/responses/tlr_secret?x=1", {})
        error = caught.exception
        self.assertEqual((error.status, error.code, error.field), (400, "invalid_field", "content"))
        self.assertEqual((error.request_id, error.body, error.is_outage), ("r1", told, False))
        self.assertEqual(str(error), "POST /api/v1/bot/responses/…: 400 content too long (invalid_field, field content)")
        self.assertEqual(len(server.requests), 1)

    def test_retries_after_an_outage_with_one_key(self) -> None:
        server, client = self.serve((429, {}, {"retry-after": "2"}), (503, b"away"), (200, SENT))
        self.assertEqual(client.send("c1", "x"), SENT)
        keys = {asked.headers["idempotency-key"] for asked in server.requests}
        self.assertEqual((len(server.requests), len(keys), self.pauses), (3, 1, [2.0, None]))

    def test_retries_after_a_lost_connection(self) -> None:
        server, client = self.serve((0, b""), (200, SENT))
        self.assertEqual(client.send("c1", "x"), SENT)
        self.assertEqual(len(server.requests), 2)

    def test_does_not_retry_a_possibly_executed_write_without_a_key(self) -> None:
        for lost in ((0, b""), (503, b""), (502, b"")):
            server, client = self.serve(lost)
            with self.subTest(lost), self.assertRaises(TielineError) as caught:
                client.join("c1")
            self.assertTrue(caught.exception.is_outage)
            self.assertEqual(len(server.requests), 1)

    def test_retries_any_request_after_429(self) -> None:
        server, client = self.serve((429, {}), (200, {"ok": True}))
        client.join("c1")
        self.assertEqual(len(server.requests), 2)

    def test_does_not_retry_an_invalid_request(self) -> None:
        for status in (400, 401, 403, 404, 409, 410, 500):
            server, client = self.serve((status, {}))
            with self.subTest(status), self.assertRaises(TielineError) as caught:
                client.me()
            self.assertEqual((caught.exception.code, len(server.requests)), (f"http_{status}", 1))

    def test_retries_end(self) -> None:
        server, client = self.serve((503, {}))
        with self.assertRaises(TielineError):
            client.me()
        self.assertEqual(len(server.requests), 5)

    def test_does_not_wait_for_a_too_long_retry_after(self) -> None:
        server, client = self.serve((429, {}, {"retry-after": "61"}))
        with self.assertRaises(TielineError) as caught:
            client.me()
        self.assertEqual((caught.exception.retry_after, len(server.requests)), (61.0, 1))

    def test_redirects_are_not_followed(self) -> None:
        server, client = self.serve((302, b"", {"location": "http://evil.example/x"}))
        with self.assertRaises(TielineError) as caught:
            client.me()
        self.assertEqual((caught.exception.code, len(server.requests)), ("redirect_refused", 1))
        self.assertIn("evil.example", str(caught.exception))

    def test_a_response_without_json_is_an_error(self) -> None:
        _, client = self.serve((200, b"<html>"))
        with self.assertRaises(TielineError) as caught:
            client.me()
        self.assertEqual(caught.exception.code, "invalid_answer")

    def test_connection_refused(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with Client(f"http://127.0.0.1:{port}", "t", retries=1) as client, self.assertRaises(TielineError) as caught:
            client.me()
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "network_error"))
        self.assertTrue(caught.exception.is_outage)

    def test_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            with Client(address, "t", retries=0, timeout=0.05) as client, self.assertRaises(TielineError) as caught:
                client.me()
        self.assertEqual(caught.exception.code, "timeout")

    def test_replaces_a_dead_connection(self) -> None:
        server, client = self.serve((200, {"bot": {}}), (0, b""), (200, {"bot": {}}))
        client.me()
        client.me()
        self.assertEqual(len(server.requests), 3)

    def test_unrepeatable_requests_use_a_new_connection(self) -> None:
        server, client = self.serve((200, {"bot": {}}, {"x-hangs-up": "1"}), (200, {"ok": True}))
        client.me()
        client.join("c1")
        self.assertEqual([asked.path for asked in server.requests][1:], ["/api/v1/bot/conversations/c1/join"])

    def test_close_keeps_no_connections(self) -> None:
        _, client = self.serve((200, {"bot": {}}))
        client.close()
        client.me()
        self.assertEqual(client.transport._spare, [])

    def test_reads_page_after_page(self) -> None:
        server, client = self.serve(
            (200, {"users": [{"id": "1"}, {"id": "2"}], "next_cursor": "a b"}),
            (200, {"users": [{"id": "3"}], "next_cursor": None}),
        )
        self.assertEqual([user["id"] for user in client.people()], ["1", "2", "3"])
        self.assertEqual([asked.path for asked in server.requests], ["/api/v1/bot/users?limit=200", "/api/v1/bot/users?limit=200&cursor=a+b"])

    def test_searches_messages(self) -> None:
        server, client = self.serve((200, {"results": [{"highlights": [[0, 6]]}], "next_cursor": ""}))
        found = list(client.search("deploy", conversation_id="c", has="link"))
        self.assertEqual(found, [{"highlights": [[0, 6]]}])
        self.assertEqual([asked.path for asked in server.requests], ["/api/v1/bot/search/messages?limit=50&q=deploy&in=c&has=link"])

    def test_reads_history_in_both_orders(self) -> None:
        first, second = {"text": "a", "msg_index": 1}, {"text": "b", "msg_index": 2}
        server, client = self.serve(
            (200, {"messages": [first, second], "has_more_before": True}), (200, {"messages": [], "has_more_before": False})
        )
        self.assertEqual([one["text"] for one in client.history("c")], ["b", "a"])
        path = "/api/v1/channels/c/messages?limit=200"
        self.assertEqual([one.path for one in server.requests], [path, f"{path}&before_msg_index=1"])
        server, client = self.serve((200, {"messages": [first, second], "has_more_after": False}))
        self.assertEqual([one["text"] for one in client.history("c", order="oldest")], ["a", "b"])
        self.assertEqual(server.requests[0].path, f"{path}&after_msg_index=0")

    def test_reads_events_and_acknowledges_in_any_order(self) -> None:
        def record(number: str) -> dict[str, str]:
            about = {"id": number, "event_id": f"e{number}", "event_type": "MESSAGE_CREATED"}
            return {**about, "payload_json": json.dumps({"text": number})}

        server, client = self.serve((503, {}), (200, {"events": [record("1"), record("2")]}), (401, {}))
        file = Path(self.enterContext(tempfile.TemporaryDirectory())) / "cursor"
        taken = []
        with self.assertRaises(TielineError) as caught:
            for event in client.events(CursorFile(file)):
                taken.append(event)
                if event.id == "2":
                    event.ack()
                    self.assertFalse(file.exists())
                    taken[0].ack()
        self.assertEqual((caught.exception.status, file.read_text()), (401, "2"))
        self.assertEqual([one.payload["text"] for one in taken], ["1", "2"])

    def test_settings_come_from_the_environment(self) -> None:
        with mock.patch.dict(os.environ, {"TIELINE_URL": "http://chat.example/x/", "TIELINE_TOKEN": "tlb_1"}):
            client = Client()
        self.assertEqual((client.url, client.token, client.transport.prefix), ("http://chat.example/x", "tlb_1", "/x"))
        with mock.patch.dict(os.environ, clear=True), self.assertRaises(ValueError):
            Client()


class Files(unittest.TestCase):
    def test_session_bytes_and_confirmation_in_one_call(self) -> None:
        def answer(asked: Asked) -> Told:
            if asked.path.endswith("upload_sessions"):
                upload = {"file_id": "f1", "upload_url": f"{server.url}/store/f1?s=1", "method": "PUT"}
                return 200, {"upload": {**upload, "headers": {"Content-Type": "text/csv"}}}
            return 200, {"file": {"status": "ready"}}

        with Scripted(answer) as server, Client(server.url, "tlb_secret") as client, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.csv"
            path.write_bytes(b"a,b\n")
            uploaded = client.upload("c1", path)
        self.assertEqual((uploaded.attachment, uploaded.file), ({"file_id": "f1"}, {"status": "ready"}))
        session, stored, confirmed = server.requests
        about = {"conversation_id": "c1", "file_name": "report.csv", "file_size": 4, "mime_type": "text/csv"}
        self.assertEqual(session.json, about)
        self.assertEqual((stored.path, stored.body, stored.headers["content-type"]), ("/store/f1?s=1", b"a,b\n", "text/csv"))
        self.assertNotIn("authorization", stored.headers)
        self.assertEqual(confirmed.path, "/api/v1/bot/files/f1/confirm")


class Webhooks(unittest.TestCase):
    def test_signs_every_attempt_with_a_new_timestamp_and_one_key(self) -> None:
        left: list[Told] = [(503, {}, {"retry-after": "0"}), (200, SENT)]
        path = "/api/v1/webhooks/incoming/tlh_1"
        with Scripted(lambda asked: left.pop(0)) as server:
            webhook = IncomingWebhook(server.url + path, "whsec_x_0123456789")
            self.assertEqual(webhook.send("down", severity="critical", idempotency_key="k1"), SENT)
            webhook.close()
        first, second = server.requests
        for asked in server.requests:
            verify("whsec_x_0123456789", asked.headers, asked.body, scheme="incoming_native")
            self.assertNotIn("authorization", asked.headers)
        self.assertEqual((first.path, first.json), (path, {"text": "down", "severity": "critical"}))
        self.assertEqual([asked.headers["idempotency-key"] for asked in (first, second)], ["k1", "k1"])

    def test_equal_messages_within_a_second_have_different_signatures(self) -> None:
        with Scripted(lambda asked: (200, SENT)) as server:
            webhook = IncomingWebhook(server.url + "/api/v1/webhooks/incoming/tlh_1", "whsec_x_0123456789")
            for _ in range(3):
                webhook.send("down")
            webhook.close()
        self.assertEqual(len({asked.headers["x-service-signature"] for asked in server.requests}), 3)
        for asked in server.requests:
            verify("whsec_x_0123456789", asked.headers, asked.body, scheme="incoming_native")


class Rules(unittest.TestCase):
    def test_writes_that_accept_a_key_are_those_of_the_openapi_document(self) -> None:
        document = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8"))
        keyed = 0
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                names = [parameter.get("name") for parameter in operation.get("parameters", [])]
                with self.subTest(path, method=method):
                    takes = takes_key(method.upper(), re.sub(r"\{\w+\}", "x", path))
                    self.assertEqual(takes, "Idempotency-Key" in names)
                    keyed += takes
        self.assertGreater(keyed, 10)

    def test_retry_after_is_seconds_or_a_date(self) -> None:
        sent = "Sun, 06 Nov 1994 08:49:37 GMT"
        self.assertEqual(retry_after({"retry-after": "1.5"}), 1.5)
        self.assertEqual(retry_after({"retry-after": "Sun, 06 Nov 1994 08:49:47 GMT", "date": sent}), 10.0)
        self.assertIsNone(retry_after({"retry-after": "soon"}))
        self.assertIsNone(retry_after({}))

    def test_delays_double_with_jitter(self) -> None:
        for failures, longest in ((1, 0.25), (2, 0.5), (3, 1.0), (20, 20.0)):
            pauses = [pause_before(failures, None) for _ in range(50)]
            self.assertTrue(all(longest / 2 <= pause <= longest for pause in pauses))
            self.assertGreater(len(set(pauses)), 1)
        self.assertTrue(all(4 <= pause_before(1, 4.0) <= 5 for _ in range(50)))

    def test_names_hide_secrets(self) -> None:
        self.assertEqual(name_of("POST", "/x/api/v1/webhooks/incoming/abc/messages/1?y=2"), "POST /x/api/v1/webhooks/incoming/…/messages/1")
