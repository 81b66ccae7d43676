"""
Tests of the client against a running Tieline, configured by TIELINE_URL, TIELINE_TOKEN,
OWNER_TOKEN, CHANNEL and WEBHOOK.
"""

import os
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

from tieline import Bot, Client, IncomingWebhook, TielineError
from tieline.blocks import actions, context, divider, header, section
from tieline.elements import button, checkboxes, date_picker, multi_select, overflow, radio, select, time_picker, user_select

CHANNEL = os.environ["CHANNEL"]


class Trigger:
    """A person's message."""

    def __init__(self, message_id: str) -> None:
        self.conversation_id, self.message_id = CHANNEL, message_id


class Live(unittest.TestCase):
    def setUp(self) -> None:
        self.client = self.enterContext(Client())
        self.client.set_mode("poll")
        self.owner = self.enterContext(Client(token=os.environ["OWNER_TOKEN"]))

    def ask(self, text: str) -> Trigger:
        path = f"/api/v1/client/conversations/{CHANNEL}/messages"
        return Trigger(self.owner.call("POST", path, {"text": text})["message_id"])

    def eventually(self, look: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 10
        while not (found := look()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        return found

    def test_the_server_accepts_what_the_builders_build(self) -> None:
        person = next(self.client.people())["id"]
        rows = [
            actions(
                button("a", "Go", style="primary", data="1"),
                select("b", {"x": "X"}, initial="x", placeholder="Which"),
                multi_select("c", ["x", "y"], min_selected=1, max_selected=2, initial=["y"]),
                checkboxes("d", ["x"]),
                radio("e", ["x"], visible_to=[person]),
            ),
            actions(
                overflow("f", ["x"]),
                user_select("g", initial=person),
                date_picker("h", initial="2026-12-01"),
                time_picker("i", initial="09:30"),
                button("j", "Handbook", url="https://example.com/"),
            ),
        ]
        sent = self.client.send(CHANNEL, "all", blocks=[header("H"), section("S"), context("C"), divider(), *rows])
        self.client.edit(sent["message_id"], "edited")
        self.assertNotIn("blocks", self.client.message(sent["message_id"]).get("metadata_json") or "")
        self.client.react(sent["message_id"], "✅")
        self.client.pin(sent["message_id"])
        self.assertEqual(self.client.message(sent["message_id"])["text"], "edited")
        self.client.delete(sent["message_id"])
        with self.assertRaises(TielineError) as caught:
            self.client.message(sent["message_id"])
        self.assertEqual((caught.exception.status, caught.exception.code), (410, "message_deleted"))

    def test_a_key_posts_once(self) -> None:
        first = self.client.send(CHANNEL, "once", idempotency_key="once:1")
        self.assertEqual(self.client.send(CHANNEL, "once", idempotency_key="once:1"), first)

    def test_uploads_a_file_in_one_call(self) -> None:
        upload = self.client.upload(CHANNEL, b"quarter,total\n", name="report.csv", mime_type="text/csv")
        sent = self.client.send(CHANNEL, "the quarter", attachments=[upload.attachment])
        self.assertEqual(sent["attachment_status"], "attached")

    def test_reads_lists_to_the_end(self) -> None:
        self.assertIn(CHANNEL, [one["id"] for one in self.client.conversations(member=True)])
        self.assertGreater(len(list(self.client.members(CHANNEL))), 0)
        self.assertIsNone(self.client.find_person("nobody@example.com"))
        said = [self.client.send(CHANNEL, text)["message_id"] for text in ("one", "two")]
        newest = self.client.history(CHANNEL)
        self.assertEqual([next(newest)["id"], next(newest)["id"]], said[::-1])
        oldest = [one["id"] for one in self.client.history(CHANNEL, order="oldest")]
        self.assertEqual(oldest[-2:], said)

    def test_reads_events_from_the_queue(self) -> None:
        asked = self.ask("Is anybody there?").message_id
        for event in self.client.events():
            event.ack()
            if event.payload.get("message_id") == asked:
                break
        self.assertEqual((event.event_type, event.payload["text"]), ("MESSAGE_CREATED", "Is anybody there?"))

    def test_streams_direct_messages_including_those_sent_while_disconnected(self) -> None:
        person = self.owner.call("GET", "/api/v1/client/me")["user"]["id"]
        path = f"/api/v1/client/conversations/{self.client.dm(person)}/messages"
        said: list[str] = []
        with self.client.direct_messages() as stream:
            threading.Timer(0.2, lambda: self.owner.call("POST", path, {"text": "one"})).start()
            for message in stream:
                said.append(message["text"])
                break
        self.owner.call("POST", path, {"text": "two"})
        with self.client.direct_messages(stream.last_event_id) as stream:
            for message in stream:
                said.append(message["text"])
                if "two" in said:
                    break
        self.assertEqual(list(dict.fromkeys(said)), ["one", "two"])

    def test_a_run_reports_and_completes_with_its_task(self) -> None:
        bot = Bot(client=self.client)
        trigger = self.ask("SettleReason did it fail?")
        with bot.run(trigger, task="Find out") as run:
            run.status("using_tool")
            for word in ("It ", "ran ", "out ", "of memory."):
                run.append(word)
        self.assertEqual(self.client.message(run.message_id)["text"], "It ran out of memory.")
        assert run.task is not None
        path = f"/api/v1/client/execution_tasks/{run.task.widget_id}/review"
        self.eventually(lambda: self.owner.call("POST", path, {"decision": "accepted"}))
        self.assertEqual(run.task.review(timeout=10), "accepted")
        with bot.run(trigger, task="Find out") as again:
            self.assertTrue(again.is_over)
            again.append("nobody reads this")
        self.assertEqual(again.id, run.id)

    def test_a_run_fails_with_the_raised_error(self) -> None:
        bot = Bot(client=self.client)
        with self.assertRaises(ZeroDivisionError), bot.run(self.ask("Divide!")) as run:
            run.append("Half of it")
            print(1 // 0)
        found = self.client.call("GET", f"/api/v1/bot/agent_runs/{run.id}")["agent_run"]
        self.assertEqual((found["status"], found["error_code"]), ("failed", "ZeroDivisionError"))
        self.assertEqual(found["public_text"], "Half of it")

    def test_an_incoming_webhook(self) -> None:
        url, secret = os.environ["WEBHOOK"].split(" ")
        webhook = IncomingWebhook(url, secret)
        self.addCleanup(webhook.close)
        sent = webhook.send("*down*", severity="critical", idempotency_key="w:1")["message_id"]
        self.assertEqual(webhook.send("*down*", severity="critical", idempotency_key="w:1")["message_id"], sent)
        webhook.edit(sent, "up")
        self.assertEqual(self.client.message(sent)["text"], "up")
        webhook.delete(sent)
