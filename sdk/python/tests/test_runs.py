"""Agent runs: what they report, however it is said."""

import logging
import threading
import unittest
from typing import Any
from unittest import mock

from tests.scripted import Asked, Scripted, Told
from tieline import Bot, Client, TielineError
from tieline.bot import Run
from tieline.bot import reports as reports_module


class Trigger:
    conversation_id, message_id = "c", "m"


class Runs(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.enterContext(mock.patch.object(reports_module, "pause_after", lambda failures, asked: 0.001))
        self.record = {"id": "r", "message_id": "m1", "status": "accepted", "sequence": 1, "is_terminal": False}
        self.refusals: list[Told] = []
        self.server = self.enterContext(Scripted(self.answer))
        self.client = self.enterContext(Client(self.server.url, "t", retries=0))
        self.bot = Bot(client=self.client)

    def answer(self, asked: Asked) -> Told:
        if asked.method == "PATCH" and self.refusals:
            return self.refusals.pop(0)
        return 200, {"agent_run": self.record}

    def changes(self) -> list[dict[str, Any]]:
        return [asked.json for asked in self.server.requests if asked.method == "PATCH"]

    def test_begins_reports_and_completes(self) -> None:
        with self.bot.run(Trigger(), content="wait", thread=True) as run:
            run.append("a")
            self.server.wait_for(lambda asked: len(asked) == 2)
            run.append("b")
            run.append("c")
            run.attach("f1")
        begun = self.server.requests[0]
        self.assertEqual(begun.headers["idempotency-key"], "run:m")
        about = {"conversation_id": "c", "trigger_message_id": "m", "content": "wait", "parent_message_id": "m"}
        self.assertEqual(begun.json, about)
        self.assertEqual(
            self.changes(),
            [
                {"status": "finalizing", "append": "a", "sequence": 2},
                {"status": "finalizing", "append": "bc", "sequence": 3},
                {"status": "completed", "public_text": "abc", "attachments": [{"file_id": "f1"}], "sequence": 4},
            ],
        )

    def test_an_answer_is_required(self) -> None:
        with self.bot.run(Trigger()):
            pass
        self.assertEqual(self.changes(), [{"status": "completed", "public_text": "✓", "sequence": 2}])

    def test_fails_with_the_name_of_what_was_raised(self) -> None:
        with self.assertRaises(KeyError), self.bot.run(Trigger()):
            raise KeyError("secret words")
        self.assertEqual(self.changes(), [{"status": "failed", "error_code": "KeyError", "sequence": 2}])

    def test_a_run_that_is_taken_up_again_says_everything_anew(self) -> None:
        self.record = {**self.record, "sequence": 7, "public_text": "half"}
        with self.bot.run(Trigger()) as run:
            run.append("half and")
        self.assertEqual(self.changes()[0], {"status": "finalizing", "public_text": "half and", "sequence": 8})

    def test_goes_on_behind_another_process(self) -> None:
        self.refusals = [(409, {"code": "stale_sequence"})]
        self.record = {**self.record, "sequence": 1}

        def now(asked: Asked) -> Told:
            if asked.method == "GET":
                return 200, {"agent_run": {**self.record, "sequence": 9}}
            return self.refusals.pop(0) if asked.method == "PATCH" and self.refusals else (200, {"agent_run": self.record})

        with Scripted(now) as server, Client(server.url, "t") as client, Bot(client=client).run(Trigger()) as run:
            run.append("a")
        changes = [asked.json for asked in server.requests if asked.method == "PATCH"]
        self.assertEqual(changes[1], {"status": "finalizing", "public_text": "a", "sequence": 10})

    def test_what_ended_elsewhere_is_left_as_it_is(self) -> None:
        self.record = {**self.record, "is_terminal": True, "status": "cancelled"}
        with self.bot.run(Trigger()) as run:
            self.assertTrue(run.is_over)
            run.append("nobody reads this")
        self.assertEqual(self.changes(), [])

    def test_an_outage_is_waited_for(self) -> None:
        self.refusals = [(503, {}), (429, {"ok": False})]
        with self.bot.run(Trigger()) as run:
            run.status("using_tool")
        self.assertEqual([one["status"] for one in self.changes()], ["using_tool"] * 3 + ["completed"])

    def test_a_report_that_is_refused_is_told(self) -> None:
        self.refusals = [(403, {"code": "bot_not_in_conversation"})]
        with self.assertRaises(TielineError), self.bot.run(Trigger()) as run:
            run.status("using_tool")

    def test_repeats_the_last_report_so_that_it_does_not_expire(self) -> None:
        with Run(self.client, Trigger(), heartbeat=0.01):
            self.server.wait_for(lambda asked: len(asked) > 3)
        self.assertEqual(self.changes()[0], {"status": "accepted", "sequence": 2})

    def test_a_bot_that_stops_leaves_it_to_its_next_life(self) -> None:
        stopping = threading.Event()
        with self.assertRaises(RuntimeError), Run(self.client, Trigger(), stopping=stopping):
            stopping.set()
            raise RuntimeError("the bot stops")
        self.assertEqual(self.changes(), [])
