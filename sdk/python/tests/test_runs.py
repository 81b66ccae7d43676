"""Reports of agent runs."""

import logging
import threading
import time
import unittest
from typing import Any
from unittest import mock

from tests.scripted import Asked, Scripted, Told
from tieline import Bot, Client, TielineError
from tieline.bot import Run
from tieline.bot import reports as reports_module
from tieline.bot.activity import to_activity


class Trigger:
    conversation_id, message_id = "c", "m"


class Runs(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.enterContext(mock.patch.object(reports_module, "pause_after", lambda failures, asked: 0.001))
        self.record = {"id": "r", "message_id": "m1", "status": "accepted", "sequence": 1, "is_terminal": False}
        self.refusals: list[Told] = []
        self.stops: dict[str, Any] = {}
        self.server = self.enterContext(Scripted(self.answer))
        self.client = self.enterContext(Client(self.server.url, "t", retries=0))
        self.bot = Bot(client=self.client)

    def answer(self, asked: Asked) -> Told:
        if asked.method == "PATCH" and self.refusals:
            return self.refusals.pop(0)
        return 200, {"agent_run": self.record, **self.stops}

    def changes(self) -> list[dict[str, Any]]:
        return [asked.json for asked in self.server.requests if asked.method == "PATCH"]

    def test_starts_reports_and_completes(self) -> None:
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

    def test_a_report_comes_an_interval_after_the_previous_one_but_not_the_last_ones(self) -> None:
        begun = time.monotonic()
        with mock.patch.object(reports_module, "_PAUSE", 20), self.bot.run(Trigger()) as run:
            run.append("a")
            self.server.wait_for(lambda asked: len(asked) == 2)
            run.append("b")
            for _ in range(50):  # time in which a report would arrive
                self.client.call("GET", "/api/v1/bot/me")
            run.append("c")
        self.assertEqual([change.get("append") for change in self.changes()], ["a", "bc", None])
        self.assertLess(time.monotonic() - begun, 10)

    def test_an_empty_answer_gets_a_placeholder(self) -> None:
        with self.bot.run(Trigger()):
            pass
        self.assertEqual(self.changes(), [{"status": "completed", "public_text": "✓", "sequence": 2}])

    def test_a_person_stops_the_run(self) -> None:
        self.stops = {"stop_requested": True}
        with self.bot.run(Trigger()) as run:
            self.assertFalse(run.is_over)
            run.append("half")
            self.assertTrue(run._reports.stop_requested.wait(10))
            self.assertTrue(run.is_stop_requested and run.is_over)
        self.assertEqual(self.changes()[-1], {"status": "completed", "public_text": "half", "sequence": 3})

    def stop(self, run_id: str) -> None:
        self.bot._stops.arrived(to_activity("agent_run.stop_requested", {"run_id": run_id}, "key"))

    def test_a_stop_that_arrives_as_an_event_reaches_a_run_that_reports_nothing(self) -> None:
        with self.bot.run(Trigger()) as run:
            self.stop("another")
            self.assertFalse(run.is_over)
            self.stop("r")
            self.assertTrue(run.is_stop_requested)
        self.stop("r")

    def test_a_stopped_block_that_raises_cancels_the_run(self) -> None:
        with self.assertRaises(KeyError), self.bot.run(Trigger()):
            self.stop("r")
            raise KeyError
        self.assertEqual(self.server.requests[-1].path, "/api/v1/bot/agent_runs/r/cancel")
        self.assertEqual(self.changes(), [])

    def test_a_run_that_was_stopped_while_the_bot_was_down_is_stopped_when_it_resumes(self) -> None:
        self.record["stop_requested_at"] = "2026-11-25T08:00:00.000Z"
        with self.bot.run(Trigger()) as run:
            self.assertTrue(run.is_stop_requested)

    def test_fails_with_the_name_of_the_exception(self) -> None:
        with self.assertRaises(KeyError), self.bot.run(Trigger()):
            raise KeyError("secret words")
        self.assertEqual(self.changes(), [{"status": "failed", "error_code": "KeyError", "sequence": 2}])

    def test_a_resumed_run_sends_its_whole_text(self) -> None:
        self.record = {**self.record, "sequence": 7, "public_text": "half"}
        with self.bot.run(Trigger()) as run:
            run.append("half and")
        self.assertEqual(self.changes()[0], {"status": "finalizing", "public_text": "half and", "sequence": 8})

    def test_continues_after_reports_of_another_process(self) -> None:
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

    def test_leaves_a_run_that_ended_elsewhere(self) -> None:
        self.record = {**self.record, "is_terminal": True, "status": "cancelled"}
        with self.bot.run(Trigger()) as run:
            self.assertTrue(run.is_over)
            run.append("nobody reads this")
        self.assertEqual(self.changes(), [])

    def test_waits_out_an_outage(self) -> None:
        self.refusals = [(503, {}), (429, {"ok": False})]
        with self.bot.run(Trigger()) as run:
            run.status("using_tool")
        self.assertEqual([one["status"] for one in self.changes()], ["using_tool"] * 3 + ["completed"])

    def test_raises_the_error_of_a_rejected_report(self) -> None:
        self.refusals = [(403, {"code": "bot_not_in_conversation"})]
        with self.assertRaises(TielineError), self.bot.run(Trigger()) as run:
            run.status("using_tool")

    def test_repeats_the_last_report_as_a_heartbeat(self) -> None:
        with Run(self.client, Trigger(), heartbeat=0.01):
            self.server.wait_for(lambda asked: len(asked) > 3)
        self.assertEqual(self.changes()[0], {"status": "accepted", "sequence": 2})

    def test_a_stopping_bot_leaves_the_run_open(self) -> None:
        stopping = threading.Event()
        with self.assertRaises(RuntimeError), Run(self.client, Trigger(), stopping=stopping):
            stopping.set()
            raise RuntimeError("the bot stops")
        self.assertEqual(self.changes(), [])
