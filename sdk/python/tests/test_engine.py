"""Order, repeats, failures and the end of a bot, by what handlers see."""

import logging
import threading
import time
import unittest
from collections import defaultdict
from collections.abc import Callable
from typing import Any
from unittest import mock

from tests.scripted import Scripted
from tieline import Client, TielineError, TooLate
from tieline.bot import engine as engine_module
from tieline.bot.answers import Answer, AnswerState, AnswerChannel, LateAnswers, Why
from tieline.bot.engine import Engine, Outcome, Settings, by_conversation
from tieline.bot.incoming import IncomingEvent, event_from_payload
from tieline.bot.lanes import Lanes

SOON = 10.0


def event(key: str, conversation: str = "c1") -> IncomingEvent:
    return event_from_payload("MESSAGE_CREATED", {"conversation_id": conversation, "text": key}, key)


def click(key: str, conversation: str = "c1", **more: Any) -> IncomingEvent:
    payload = {"conversation_id": conversation, "action_id": "a", "interaction_id": key, "response_token": "tlr_1"}
    return event_from_payload("button.click", {**payload, **more}, key)


class Waiting(AnswerChannel):
    """Somebody waits at it."""

    def __init__(self, retries: str = "here", patience: float | None = None, can_respond: bool = False) -> None:
        self.retries = retries  # type: ignore[assignment]
        self.patience, self.can_respond = patience, can_respond
        self.settled: list[tuple[Answer | None, Why]] = []
        self.told = threading.Event()

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        self.settled.append((answer, why))
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

    def engine(self, handle: Callable[[IncomingEvent, AnswerState], None], **settings: Any) -> Engine:
        told = {"concurrency": 4, "tries": 3, "order": by_conversation, "on_error": lambda *_: None, **settings}
        engine = Engine(self.client, Settings(handle=handle, **told))
        self.addCleanup(engine.stop, 1.0)
        return engine

    def take(self, engine: Engine, event: IncomingEvent, channel: AnswerChannel | None = None) -> None:
        def done(outcome: Outcome) -> None:
            with self.changed:
                self.outcomes[event.key].append(outcome)
                self.changed.notify_all()

        engine.take(event, channel or Waiting(), done)

    def wait_for_outcomes(self, wanted: list[str]) -> None:
        self.wait_for(lambda: self.outcomes["e1"] == wanted)

    def wait_for(self, holds: Callable[[], object]) -> None:
        with self.changed:
            self.assertTrue(self.changed.wait_for(holds, SOON), self.outcomes)


class Order(EngineCase):
    def test_a_conversation_is_handled_in_order_and_others_beside_it(self) -> None:
        seen: dict[str, list[str]] = defaultdict(list)
        together = threading.Barrier(2, timeout=SOON)

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            if event.key in ("a0", "b0"):
                together.wait()  # passes only if both run concurrently
            seen[event.conversation_id].append(event.key)

        engine = self.engine(handle)
        for number in range(20):
            self.take(engine, event(f"a{number}", "a"))
            self.take(engine, event(f"b{number}", "b"))
        self.wait_for(lambda: len(self.outcomes) == 40)
        for name in "ab":
            self.assertEqual(seen[name], [f"{name}{number}" for number in range(20)])

    def test_no_more_run_at_once_than_asked_for(self) -> None:
        lock, running, most = threading.Lock(), 0, 0

        def handle(event: IncomingEvent, _: AnswerState) -> None:
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

    def test_what_people_do_does_not_wait_for_events(self) -> None:
        free = threading.Event()
        self.addCleanup(free.set)
        
        def handle(event: IncomingEvent, _: AnswerState) -> None:
            if event.kind == "event":
                free.wait(SOON)

        engine = self.engine(handle)
        for number in range(10):
            self.take(engine, event(f"e{number}", str(number)))
        self.take(engine, click("k", "0"))
        self.wait_for(lambda: self.outcomes["k"] == ["done"])
        self.assertEqual(len(self.outcomes), 1)

    def test_later_lets_the_next_one_in(self) -> None:
        free = threading.Event()

        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            if event.key == "k1":
                answering.later()
                self.assertTrue(free.wait(SOON))
            else:
                free.set()

        engine = self.engine(handle)
        self.take(engine, click("k1"))
        self.take(engine, click("k2"))
        self.wait_for(lambda: self.outcomes["k1"] and self.outcomes["k2"])


class Repeats(EngineCase):
    def test_a_key_is_handled_once_and_told_each_time(self) -> None:
        free, handled = threading.Event(), []

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            handled.append(event.key)
            free.wait(SOON)

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.take(engine, event("e1"))
        free.set()
        self.wait_for(lambda: self.outcomes["e1"] == ["done", "done"])
        self.take(engine, event("e1"))
        self.assertEqual((self.outcomes["e1"], handled), (["done"] * 3, ["e1"]))

    def test_what_fails_is_tried_again_and_dropped_in_the_end(self) -> None:
        tries: list[str] = []
        dropped: list[str] = []

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            tries.append(event.key)
            if event.key == "poison" or tries.count(event.key) < 3:
                raise RuntimeError("no")

        engine = self.engine(handle, on_error=lambda error, event, _: dropped.append(event.key))
        self.take(engine, event("poison"))
        self.take(engine, event("good"))
        self.wait_for(lambda: self.outcomes["poison"] and self.outcomes["good"])
        self.assertEqual(tries, ["poison"] * 3 + ["good"] * 3)
        self.assertEqual((self.outcomes["poison"], self.outcomes["good"], dropped), (["dropped"], ["done"], ["poison"]))

    def test_an_outage_counts_as_no_try(self) -> None:
        tries = 0

        def handle(event: IncomingEvent, _: AnswerState) -> None:
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

    def test_what_is_too_late_is_not_tried_again(self) -> None:
        tries: list[str] = []

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            tries.append(event.key)
            raise TooLate("gone")

        engine = self.engine(handle)
        self.take(engine, event("e1"))
        self.wait_for(lambda: self.outcomes["e1"] == ["dropped"])
        self.assertEqual(tries, ["e1"])

    def test_what_is_forbidden_is_not_tried_again(self) -> None:
        tries: list[str] = []

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            tries.append(event.key)
            raise TielineError("403 bot not in conversation", status=403, code="bot_not_in_conversation")

        engine = self.engine(handle)
        logging.disable(logging.NOTSET)
        with self.assertLogs("tieline") as told:
            self.take(engine, event("e1"))
            self.wait_for(lambda: self.outcomes["e1"] == ["dropped"])
        self.assertEqual(tries, ["e1"])
        # One line: the traceback of a refusal says nothing more.
        self.assertEqual([len(line.splitlines()) for line in told.output], [1])

    def test_what_another_brings_again_is_left_to_it(self) -> None:
        fails = [RuntimeError("no"), TielineError("away", status=503)]

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            if fails:
                raise fails.pop()

        engine = self.engine(handle)
        for outcomes in (["again"], ["again"] * 2, ["again", "again", "done"]):
            self.take(engine, event("e1"), Waiting("server"))
            self.wait_for_outcomes(outcomes)

    def test_what_cannot_come_again_is_dropped_at_once(self) -> None:
        def handle(event: IncomingEvent, _: AnswerState) -> None:
            raise RuntimeError("no")

        channel = Waiting("nobody")
        engine = self.engine(handle, on_error=lambda error, event, answering: answering.give({"ephemeral_text": "sorry"}))
        self.take(engine, click("k1"), channel)
        self.wait_for(lambda: self.outcomes["k1"] == ["dropped"])
        self.assertEqual(channel.settled, [({"ephemeral_text": "sorry"}, "end")])


class Answers(EngineCase):
    def test_the_first_answer_waits_for_the_end_and_others_go_by_themselves(self) -> None:
        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            self.assertEqual(answering.give({"ephemeral_text": "1"}), {})
            self.assertEqual(channel.settled, [])
            self.assertEqual(answering.give({"send_message": {"text": "2"}}), {"message_id": "late"})
            answering.give({"ephemeral_text": "3"})

        channel = Waiting()
        engine = self.engine(handle)
        self.take(engine, click("k1"), channel)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(self.outcomes["k1"], ["done"])
        self.assertEqual(channel.settled, [({"ephemeral_text": "1"}, "deadline")])
        sent = [(asked.path, asked.json, asked.headers["idempotency-key"]) for asked in self.server.requests]
        path = "/api/v1/bot/responses/tlr_1"
        self.assertEqual(
            sent, [(path, {"send_message": {"text": "2"}}, "k1:1"), (path, {"ephemeral_text": "3"}, "k1:2")]
        )

    def test_a_handler_that_starts_again_says_the_same_under_the_same_keys(self) -> None:
        tries = 0

        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            nonlocal tries
            tries += 1
            answering.give({"ephemeral_text": "1"})
            answering.give({"ephemeral_text": "2"})
            if tries == 1:
                raise RuntimeError("no")

        channel = Waiting()
        engine = self.engine(handle)
        self.take(engine, click("k1"), channel)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(len(channel.settled), 1)
        self.assertEqual([asked.headers["idempotency-key"] for asked in self.server.requests], ["k1:1", "k1:1"])

    def test_whose_patience_ends_is_told_and_answered_later(self) -> None:
        channel = Waiting(patience=0.01)

        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            self.assertTrue(channel.told.wait(SOON))
            answering.give({"ephemeral_text": "1"})

        engine = self.engine(handle)
        self.take(engine, click("k1"), channel)
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual(channel.settled, [(None, "deadline")])
        self.assertEqual([asked.json for asked in self.server.requests], [{"ephemeral_text": "1"}])

    def test_an_interaction_is_answered_once_and_then_by_its_token(self) -> None:
        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            answering.later()
            answering.give({"open_modal": {}})
            answering.give({"ephemeral_text": "2"})

        engine = self.engine(handle)
        self.take(engine, click("k1"), Waiting(can_respond=True))
        self.wait_for(lambda: self.outcomes["k1"])
        paths = [asked.path for asked in self.server.requests]
        self.assertEqual(paths, ["/api/v1/bot/interactions/k1/respond", "/api/v1/bot/responses/tlr_1"])

    def test_a_message_is_deleted_by_its_token(self) -> None:
        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            answering.later()
            answering.give({"delete_message": True})

        engine = self.engine(handle)
        self.take(engine, click("k1"), Waiting(can_respond=True))
        self.wait_for(lambda: self.outcomes["k1"])
        self.assertEqual([asked.path for asked in self.server.requests], ["/api/v1/bot/responses/tlr_1"])

    def test_a_form_cannot_be_opened_by_a_token(self) -> None:
        errors: list[BaseException] = []

        def handle(event: IncomingEvent, answering: AnswerState) -> None:
            answering.later()
            answering.give({"open_modal": {}})

        engine = self.engine(handle, tries=1, on_error=lambda error, *_: errors.append(error))
        self.take(engine, click("k1"))
        self.wait_for(lambda: self.outcomes["k1"] == ["dropped"])
        self.assertIsInstance(errors[0], TypeError)


class Stopping(EngineCase):
    def test_what_runs_is_finished_and_what_waits_is_left(self) -> None:
        began, free = threading.Event(), threading.Event()

        def handle(event: IncomingEvent, _: AnswerState) -> None:
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

    def test_who_waits_for_the_next_try_is_left_too(self) -> None:
        failed = threading.Event()

        def handle(event: IncomingEvent, _: AnswerState) -> None:
            failed.set()
            raise TielineError("away", status=503)

        with mock.patch.object(engine_module, "pause_after", lambda failures, asked: 60.0):
            engine = self.engine(handle)
            self.take(engine, event("e1"))
            self.assertTrue(failed.wait(SOON))
            self.assertTrue(engine.stop(SOON))
        self.assertEqual(self.outcomes["e1"], [])


class LanesAlone(unittest.TestCase):
    def test_a_lane_is_forgotten_when_it_is_empty(self) -> None:
        lanes, done = Lanes(1), threading.Event()
        for number in range(3):
            lanes.submit(str(number), lambda leave: None)
        lanes.submit("last", lambda leave: done.set())
        self.assertTrue(done.wait(SOON))
        self.assertTrue(lanes.stop(SOON))
        self.assertEqual(lanes._queues, {})
