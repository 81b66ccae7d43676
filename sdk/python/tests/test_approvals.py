"""Questions to people."""

import threading
import unittest
from typing import Any
from unittest import mock

from tests.scripted import Asked, Scripted, Told
from tieline import Bot, Client, TielineError
from tieline.bot import approvals as approvals_module

APPROVED = {
    "state": "approved",
    "result": {"option_id": "yes", "kind": "approve", "comment": "Go.", "decided_by": ["ann"], "decided_at": ""},
}


class Approvals(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(mock.patch.object(approvals_module, "pause_after", lambda failures, asked: 0.001))
        self.reads_until_decided = 2
        self.ending: dict[str, Any] = APPROVED
        self.troubles: list[Told] = []
        self.reads = 0
        self.server = self.enterContext(Scripted(self.answer))
        self.client = self.enterContext(Client(self.server.url, "t", retries=0))
        self.bot = Bot(client=self.client)

    def answer(self, asked: Asked) -> Told:
        if self.troubles:
            return self.troubles.pop(0)
        self.reads += asked.method == "GET"
        pending = {"id": "a", "state": "pending", "result": None}
        return 200, {"approval": pending if self.reads < self.reads_until_decided else {**pending, **self.ending}}

    def test_waits_for_the_result(self) -> None:
        result = self.bot.ask("c", "Deploy?", external_id="d1", tool="deploy", approvers={"count": 1})
        assert result is not None
        self.assertTrue(result.is_approved)
        self.assertEqual((result.option_id, result.comment, result.decided_by), ("yes", "Go.", ["ann"]))
        self.assertEqual(
            self.server.requests[0].json,
            {
                "conversation_id": "c",
                "title": "Deploy?",
                "external_id": "d1",
                "tool": "deploy",
                "approvers": {"count": 1},
            },
        )
        self.assertEqual([asked.path for asked in self.server.requests[1:]], ["/api/v1/bot/approvals/a?wait=25"] * 2)

    def test_a_decided_question_returns_immediately(self) -> None:
        self.reads_until_decided = 0
        self.ending = {"state": "expired", "result": None}
        result = self.bot.ask("c", "Deploy?", external_id="d1")
        assert result is not None
        self.assertEqual((result.state, result.is_approved, result.option_id), ("expired", False, None))
        self.assertEqual(len(self.server.requests), 1)

    def test_outages_do_not_end_the_wait(self) -> None:
        self.troubles = [(503, {"ok": False, "error": "x", "code": "unavailable"})]
        result = self.bot.ask("c", "Deploy?", external_id="d1")
        assert result is not None
        self.assertEqual(result.state, "approved")
        self.assertEqual([asked.method for asked in self.server.requests], ["POST", "POST", "GET", "GET"])

    def test_a_refusal_ends_it(self) -> None:
        self.troubles = [(403, {"ok": False, "error": "x", "code": "bot_not_in_conversation"})]
        with self.assertRaises(TielineError):
            self.bot.ask("c", "Deploy?", external_id="d1")

    def test_a_stopping_bot_returns_none(self) -> None:
        stopping = threading.Event()
        stopping.set()
        self.assertIsNone(approvals_module.ask(self.client, "c", "Deploy?", "d1", stopping))
