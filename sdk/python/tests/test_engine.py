"""Order, repeats, failures and the stop of a bot, as seen by handlers."""

import logging
import threading
import time
import unittest
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

from tests.scripted import Scripted
from tieline import Client, TielineError, TooLate
from tieline.bot import engine as engine_module
from tieline.bot.answers import Answer, Responder, AnswerSender, LateAnswers, SettleReason
from tieline.bot.engine import Engine, Outcome, Settings, by_conversation
from tieline.bot.activity import Activity, to_activity
from tieline.bot.lanes import Lanes

SOON = 10.0


def event(key: str, conversation: str = "c1") -> Activity:
    return to_activity("MESSAGE_CREATED", {"conversation_id": conversation, "text": key}, key)


def click(key: str, conversation: str = "c1", **more: Any) -> Activity:
    payload = {"conversation_id": conversation, "action_id": "a", "interaction_id": key, "response_token": "tlr_1"}
    return to_activity("button.click", {**payload, **more}, key)


class Waiting(AnswerSender):
    """A sender with a time limit."""

    def __init__(self, retries: str = "here", answer_within: float | None = None, can_respond: bool = False) -> None:
        self.retries = retries  # type: ignore[assignment]
        self.answer_within, self.can_respond = answer_within, can_respond
        self.settled: list[tuple[Answer | None, SettleReason]] = []
        self.told = threading.Event()

    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        self.settled.append((answer, reason))
        self.told.set()
        return True


class EngineCase(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        patched = mock.patch.object(engine_module, "pause_after", lambda failures, asked: 0.001)
        patched.start()
        self.addCleanup(patched.stop)
        self.outcomes: dict[str, list[Outcome]] = defaultdict(list)
        self.changed = threading.Condition()
        self.server = self.enterContext(Scripted(lambda asked: (200, {"message_id": "late"})))
        self.client = self.enterContext(Client(self.server.url, "t"))

    def engine(self, handle: Callable[[Activity, Responder], None], **settings: Any) -> Engine:
        told = {"concurrency": 4, "tries": 3, "order": by_conversation, "on_error": lambda *_: None, **settings}
        engine = Engine(self.client, Settings(handle=handle, **told))
        self.addCleanup(engine.stop, 1.0)
        return engine

    def take(self, engine: Engine, activity: Activity, sender: AnswerSender | None = None) -> None:
        def done(outcome: Outcome) -> None:
            with self.changed:
                self.outcomes[activity.key].append(outcome)
                self.changed.notify_all()

        engine.handle(activity, sender or Waiting(), done)

    def wait_for_outcomes(self, wanted: list[str]) -> None:
        self.wait_for(lambda: self.outcomes["e1"] == wanted)

    def wait_for(self, holds: Callable[[], object]) -> None:
        with self.changed:
            self.assertTrue(self.changed.wait_for(holds, SOON), self.outcomes)


class Order(EngineCase):
    def test_handles_a_conversation_in_order_and_others_concurrently(self) -> None:
        seen: dict[str, list[str]] = defaultdict(list)
        together = threading.Barrier(2, timeout=SOON)

        def handle(activity: Activity, _: Responder) -> None:
            if activity.key in ("a0", "b0"):
                together.wait()  # passes only if both run concurrently
            seen[activity.conversation_id].append(activity.key)

        engine = self.engine(handle)
        for number in range(20):
            self.take(engine, event(f"a{number}", "a"))
            self.take(engine, event(f"b{number}", "b"))
        self.wait_for(lambda: len(self.outcomes) == 40)
        for name in "ab":
            self.assertEqual(seen[name], [f"{name}{number}" for number in range(20)])

    def test_a_stop_does_not_wait_for_the_handler_that_works_on_the_run(self) -> None:
        arrived, free = [], threading.Event()

        def handle(activity: Activity, _: Responder) -> None:
            if activity.key == "question":
                self.assertTrue(free.wait(SOON))
            else:
                free.set()

        engine = self.engine(handle, arrived=lambda activity: arrived.append(activity.key))
        self.take(engine, event("question", "a"))
        self.take(engine, replace(event("stop", "a"), type="agent_run.stop_requested"))
        self.wait_for(lambda: len(self.outcomes) == 2)
        self.assertEqual(arrived, ["question", "stop"])

    def test_limits_concurrency(self) -> None:
        lock, running, most = threading.Lock(), 0, 0

        def handle(activity: Activity, _: Responder) -> None:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.002)
            with lock:
                running -= 1

        engine = self.engine(handle, concurrency=3)
        for number in range(30):
            self.take(engine, event(str(number), str(number)))
        self.wait_for(lambda: len(self.outcomes) == 30)
        self.assertEqual(most, 3)

    def test_interactions_do_not_wait_for_events(self) -> None:
        free = threading.Event()
        self.addCleanup(free.set)
        
        def handle(activity: Activity, _: Responder) -> None:
            if activity.kind == "event":
                free.wait(SOON)

        engine = self.engine(handle)
        for number in range(10):
            self.take(engine, event(f"e{number}", str(number)))
        self.take(engine, click("k", "0"))
        self.wait_for(lambda: self.outcomes["k"] == ["done"])
        self.assertEqual(len(self.outcomes), 1)

    def test_later_starts_the_next_activity(self) -> None:
        free = threading.Event()

        def handle(activity: Activity, responder: Responder) -> None:
            if activity.key == "k1":
                responder.later()
                self.assertTrue(free.wait(SOON))
            else:
                free.set()

        engine = self.engine(handle)
        self.take(engine, click("k1"))
        self.take(engine, click("k2"))
        self.wait_for(lambda: self.outcomes["k1"] and self.outcomes["k2"])


class Repeats(EngineCase):
    def test_handles_a_key_once_and_reports_the_outcome_each_time(self) -> None:
        free, handled = threading.Event(), []

        def handle(activity: Activity, _: Responder) -> None:
            handled.append(activity.key)
            free.wait(SOON)

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.take(engine, event("e1"))
        free.set()
        self.wait_for(lambda: self.outcomes["e1"] == ["done", "done"])
        self.take(engine, event("e1"))
        self.assertEqual((self.outcomes["e1"], handled), (["done"] * 3, ["e1"]))

    def test_retries_a_failing_handler_and_finally_drops_the_activity(self) -> None:
        tries: list[str] = []
        dropped: list[str] = []

        def handle(activity: Activity, _: Responder) -> None:
            tries.append(activity.key)
            if activity.key == "poison" or tries.count(activity.key) < 3:
                raise RuntimeError("no")

        engine = self.engine(handle, on_error=lambda error, activity, _: dropped.append(activity.key))
        self.take(engine, event("poison"))
        self.take(engine, event("good"))
        self.wait_for(lambda: self.outcomes["poison"] and self.outcomes["good"])
        self.assertEqual(tries, ["poison"] * 3 + ["good"] * 3)
        self.assertEqual((self.outcomes["poison"], self.outcomes["good"], dropped), (["dropped"], ["done"], ["poison"]))

    def test_an_outage_does_not_count_as_an_attempt(self) -> None:
        tries = 0

        def handle(activity: Activity, _: Responder) -> None:
            nonlocal tries
            tries += 1
            if tries <= 10:
                raise TielineError("away", status=503)
            if tries <= 12:
                raise RuntimeError("no")

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.wait_for(lambda: self.outcomes["e1"] == ["done"])
        self.assertEqual(tries, 13)

    def test_does_not_retry_after_too_late(self) -> None:
        tries: list[str] = []

        def handle(activity: Activity, _: Responder) -> None:
            tries.append(activity.key)
            raise TooLate("gone")

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.wait_for(lambda: self.outcomes["e1"] == ["dropped"])
        self.assertEqual(tries, ["e1"])

    def test_does_not_retry_after_403(self) -> None:
        tries: list[str] = []

        def handle(activity: Activity, _: Responder) -> None:
            tries.append(activity.key)
            raise TielineError("403 bot not in conversation", status=403, code="bot_not_in_conversation")

        engine = self.engine(handle)
        logging.disable(logging.NOTSET)
        with self.assertLogs("tieline") as told:
            self.take(engine, event("e1"))
            self.wait_for(lambda: self.outcomes["e1"] == ["dropped"])
        self.assertEqual(tries, ["e1"])
        # One line, because a traceback adds nothing.
        self.assertEqual([len(line.splitlines()) for line in told.output], [1])

    def test_leaves_retries_to_the_server(self) -> None:
        fails = [RuntimeError("no"), TielineError("away", status=503)]

        def handle(activity: Activity, _: Responder) -> None:
            if fails:
                raise fails.pop()

        engine = self.engine(handle)
        for outcomes in (["again"], ["again"] * 2, ["again", "again", "done"]):
            self.take(engine, event("e1"), Waiting("server"))
            self.wait_for_outcomes(outcomes)

    def test_drops_immediately_if_nobody_retries(self) -> None:
        def handle(activity: Activity, _: Responder) -> None:
            raise RuntimeError("no")

        sender = Waiting("none")
        engine = self.engine(handle, on_error=lambda error, activity, responder: responder.send({"ephemeral_text": "sorry"}))
        self.take(engine, click("k1"), sender)
        self.wait_for(lambda: self.outcomes["k1"] == ["dropped"])
        self.assertEqual(sender.settled, [({"ephemeral_text": "sorry"}, "end")])


class Answers(EngineCase):
    def test_sends_the_first_answer_at_the_end_and_others_as_requests(self) -> None:
        def handle(activity: Activity, responder: Responder) -> None:
            self.assertEqual(responder.send({"ephemeral_text": "1"}), {})
            self.assertEqual(sender.settled, [])
            self.assertEqual(responder.send({"send_message": {"text": "2"}}), {"message_id": "late"})
            responder.send({"ephemeral_text": "3"})

        sender = Waiting()
        engine = self.engine(handle)
        self.take(engine, click("k1"), sender)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(self.outcomes["k1"], ["done"])
        self.assertEqual(sender.settled, [({"ephemeral_text": "1"}, "deadline")])
        sent = [(asked.path, asked.json, asked.headers["idempotency-key"]) for asked in self.server.requests]
        path = "/api/v1/bot/responses/tlr_1"
        self.assertEqual(
            sent, [(path, {"send_message": {"text": "2"}}, "k1:1"), (path, {"ephemeral_text": "3"}, "k1:2")]
        )

    def test_a_retried_handler_uses_the_same_keys(self) -> None:
        tries = 0

        def handle(activity: Activity, responder: Responder) -> None:
            nonlocal tries
            tries += 1
            responder.send({"ephemeral_text": "1"})
            responder.send({"ephemeral_text": "2"})
            if tries == 1:
                raise RuntimeError("no")

        sender = Waiting()
        engine = self.engine(handle)
        self.take(engine, click("k1"), sender)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(len(sender.settled), 1)
        self.assertEqual([asked.headers["idempotency-key"] for asked in self.server.requests], ["k1:1", "k1:1"])

    def test_answers_late_after_the_time_limit(self) -> None:
        sender = Waiting(answer_within=0.01)

        def handle(activity: Activity, responder: Responder) -> None:
            self.assertTrue(sender.told.wait(SOON))
            responder.send({"ephemeral_text": "1"})

        engine = self.engine(handle)
        self.take(engine, click("k1"), sender)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(sender.settled, [(None, "deadline")])
        self.assertEqual([asked.json for asked in self.server.requests], [{"ephemeral_text": "1"}])

    def test_answers_an_interaction_once_and_then_by_token(self) -> None:
        def handle(activity: Activity, responder: Responder) -> None:
            responder.later()
            responder.send({"open_modal": {}})
            responder.send({"ephemeral_text": "2"})

        engine = self.engine(handle)
        self.take(engine, click("k1"), Waiting(can_respond=True))
        self.wait_for(lambda: self.outcomes["k1"])
        paths = [asked.path for asked in self.server.requests]
        self.assertEqual(paths, ["/api/v1/bot/interactions/k1/respond", "/api/v1/bot/responses/tlr_1"])

    def test_deletes_a_message_by_token(self) -> None:
        def handle(activity: Activity, responder: Responder) -> None:
            responder.later()
            responder.send({"delete_message": True})

        engine = self.engine(handle)
        self.take(engine, click("k1"), Waiting(can_respond=True))
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual([asked.path for asked in self.server.requests], ["/api/v1/bot/responses/tlr_1"])

    def test_cannot_open_a_form_by_token(self) -> None:
        errors: list[BaseException] = []

        def handle(activity: Activity, responder: Responder) -> None:
            responder.later()
            responder.send({"open_modal": {}})

        engine = self.engine(handle, tries=1, on_error=lambda error, *_: errors.append(error))
        self.take(engine, click("k1"))
        self.wait_for(lambda: self.outcomes["k1"] == ["dropped"])
        self.assertIsInstance(errors[0], TypeError)


class Stopping(EngineCase):
    def test_finishes_running_handlers_and_leaves_waiting_activities(self) -> None:
        began, free = threading.Event(), threading.Event()

        def handle(activity: Activity, _: Responder) -> None:
            began.set()
            free.wait(SOON)

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.take(engine, event("e2"))
        self.assertTrue(began.wait(SOON))
        self.assertFalse(engine.stop(0.01))
        free.set()
        self.assertTrue(engine.stop(SOON))
        self.assertEqual(dict(self.outcomes), {"e1": ["done"]})

    def test_leaves_activities_that_wait_for_a_retry(self) -> None:
        failed = threading.Event()

        def handle(activity: Activity, _: Responder) -> None:
            failed.set()
            raise TielineError("away", status=503)

        with mock.patch.object(engine_module, "pause_after", lambda failures, asked: 60.0):
            engine = self.engine(handle)
            self.take(engine, event("e1"))
            self.assertTrue(failed.wait(SOON))
            self.assertTrue(engine.stop(SOON))
        self.assertEqual(self.outcomes["e1"], [])


class LanesTest(unittest.TestCase):
    def test_removes_an_empty_lane(self) -> None:
        lanes, done = Lanes(1), threading.Event()
        for number in range(3):
            lanes.submit(str(number), lambda leave: None)
        lanes.submit("last", lambda leave: done.set())
        self.assertTrue(done.wait(SOON))
        self.assertTrue(lanes.stop(SOON))
        self.assertEqual(lanes._queues, {})
