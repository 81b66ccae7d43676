"""
The WebSocket client and the socket connector, against a server that speaks the protocol byte by
byte.
"""

import base64
import hashlib
import json
import logging
import socket
import struct
import threading
import unittest
from collections.abc import Callable
from typing import Any

from tieline import Bot, Client, TielineError
from tieline.bot import ClickContext, CommandContext, SubmitContext
from tieline.websocket import ConnectionClosed, WebSocket

SOON = 10.0
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Peer:
    """The server side of a WebSocket."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket, self._reader = connection, connection.makefile("rb")

    def send(self, payload: bytes | str, opcode: int = 1, is_last: bool = True) -> None:
        raw = payload.encode() if isinstance(payload, str) else payload
        head = bytes([(0x80 if is_last else 0) | opcode])
        if len(raw) < 126:
            head += bytes([len(raw)])
        elif len(raw) < 65_536:
            head += struct.pack("!BH", 126, len(raw))
        else:
            head += struct.pack("!BQ", 127, len(raw))
        self._socket.sendall(head + raw)

    def tell(self, **message: Any) -> None:
        self.send(json.dumps(message))

    def receive(self) -> tuple[int, bytes]:
        first, second = self._reader.read(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._reader.read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._reader.read(8))
        assert second & 0x80, "a client masks"
        mask, data = self._reader.read(4), self._reader.read(length)
        return first & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))

    def heard(self) -> Any:
        return json.loads(self.receive()[1])

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.close()
        self._socket.close()


class SocketServer:
    """Accepts WebSockets and answers other requests with `answer`."""

    def __init__(
        self, answer: Callable[[str], tuple[int, Any]] = lambda line: (401, {}), *, greets: bool = False
    ) -> None:
        self._greets = greets
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(SOON)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.peers: list[Peer] = []
        self.asked: list[tuple[str, Any]] = []
        self._answer = answer
        self._came = threading.Condition()
        threading.Thread(target=self._accept, daemon=True).start()

    def peer(self, number: int) -> Peer:
        with self._came:
            assert self._came.wait_for(lambda: len(self.peers) > number, SOON), "no socket came"
            return self.peers[number]

    def close(self) -> None:
        self._listener.close()
        for peer in self.peers:
            try:
                peer.close()
            except OSError:
                pass

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._greet, args=(connection,), daemon=True).start()

    def _greet(self, connection: socket.socket) -> None:
        # Responses close the connection.
        reader = connection.makefile("rb")
        line = reader.readline().decode().strip()
        headers = {}
        while header := reader.readline().decode().strip():
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        body = reader.read(int(headers.get("content-length", "0")))
        reader.close()
        if headers.get("upgrade") == "websocket" and self._answer(line)[0] == 200:
            accepted = base64.b64encode(hashlib.sha1(headers["sec-websocket-key"].encode() + _GUID).digest()).decode()
            told = f"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: {accepted}\r\n\r\n"
            connection.sendall(told.encode())
            peer = Peer(connection)
            if self._greets:
                peer.tell(type="hello")
            with self._came:
                self.peers.append(peer)
                self._came.notify_all()
            return
        with self._came:
            self.asked.append((line.rpartition(" ")[0], json.loads(body) if body else None))
        status, answer = self._answer(line)
        raw = json.dumps(answer).encode()
        connection.sendall(f"HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {len(raw)}\r\n\r\n".encode() + raw)
        connection.close()


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.server = SocketServer(lambda line: (200, {}))
        self.addCleanup(self.server.close)
        self.client = self.enterContext(Client(self.server.url, "t"))
        self.socket = WebSocket.connect(self.client.transport, "/x", {}, SOON)
        self.addCleanup(self.socket.dispose)
        self.peer = self.server.peer(0)

    def test_sends_and_receives_texts_of_every_length(self) -> None:
        for size in (0, 1, 125, 126, 65_535, 65_536, 200_000):
            text = "é" * (size // 2) + "x" * (size % 2)
            self.peer.send(text)
            self.assertEqual(self.socket.receive(), text)
            self.socket.send(text)
            self.assertEqual(self.peer.receive(), (1, text.encode()))

    def test_a_fragmented_text_with_a_ping_in_between(self) -> None:
        self.peer.send("a", is_last=False)
        self.peer.send("ping", opcode=9)
        self.peer.send("b", opcode=0)
        self.assertEqual(self.socket.receive(), "ab")
        self.assertEqual(self.peer.receive(), (10, b"ping"))

    def test_a_close_has_a_reason(self) -> None:
        self.peer.send(struct.pack("!H", 4409) + b"mode", opcode=8)
        with self.assertRaises(ConnectionClosed) as caught:
            self.socket.receive()
        self.assertEqual((caught.exception.code, caught.exception.reason), (4409, "mode"))
        with self.assertRaises(ConnectionClosed):
            self.socket.send("x")

    def test_a_lost_connection(self) -> None:
        self.peer.close()
        with self.assertRaises(ConnectionClosed) as caught:
            self.socket.receive()
        self.assertEqual(caught.exception.code, 1006)

    def test_silence_ends_the_connection(self) -> None:
        silent = WebSocket.connect(self.client.transport, "/x", {}, 0.02)
        self.addCleanup(silent.dispose)
        with self.assertRaises(ConnectionClosed):
            silent.receive()

    def test_an_invalid_frame_ends_the_connection(self) -> None:
        self.peer.send(b"x", opcode=0x41)  # a reserved bit
        with self.assertRaises(ConnectionClosed) as caught:
            self.socket.receive()
        self.assertEqual(caught.exception.code, 1002)


class Bots(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def start(self) -> tuple[SocketServer, Bot]:
        bot_record = {"bot": {"id": "b1", "event_delivery_mode": "poll"}}
        server = SocketServer(lambda line: (200, bot_record if "/me" in line else {"commands": [], "message_id": "m"}), greets=True)
        self.addCleanup(server.close)
        bot = Bot(server.url, "t")
        self.addCleanup(bot.stop)
        return server, bot

    def click(self, key: str) -> dict[str, Any]:
        payload = {"event_type": "button.click", "action_id": "go", "conversation_id": "c", "interaction_id": key}
        return {"type": "interaction", "envelope_id": key, "payload": {**payload, "response_token": "tlr_1"}}

    def test_sends_the_answer_with_the_acknowledgement(self) -> None:
        server, bot = self.start()
        bot.click("go", lambda ctx: ctx.ephemeral("hi"))
        bot.command("/deploy", lambda ctx: ctx.open_modal({"title": "x"}))
        seen: list[str] = []
        bot.message(None, lambda ctx: seen.append(ctx.text))
        bot.start("socket", wait=False)
        peer = server.peer(0)
        peer.tell(**self.click("i1"))
        self.assertEqual(peer.heard(), {"envelope_id": "i1", "answer": {"ephemeral_text": "hi"}})
        peer.tell(type="command", envelope_id="2", payload={"trigger_id": "t", "command": "deploy"})
        self.assertEqual(peer.heard(), {"envelope_id": "2", "answer": {"open_modal": {"title": "x"}}})
        envelope = {"event_id": "e", "event_type": "MESSAGE_CREATED", "conversation_id": "c", "data": {"text": "hello"}}
        peer.tell(type="event", envelope_id="3", payload=envelope)
        self.assertEqual((peer.heard(), seen), ({"envelope_id": "3"}, ["hello"]))

    def test_repeats_a_lost_reply_over_the_next_socket(self) -> None:
        server, bot = self.start()
        handled: list[str] = []
        began, free = threading.Event(), threading.Event()

        @bot.click("go")
        def click(ctx: ClickContext) -> None:
            handled.append(ctx.message_id)
            began.set()
            free.wait(SOON)
            ctx.ephemeral("hi")

        bot.start("socket", wait=False)
        server.peer(0).tell(**self.click("i1"))
        self.assertTrue(began.wait(SOON))
        server.peer(0).close()
        second = server.peer(1)
        second.tell(**self.click("i1"))
        free.set()
        self.assertEqual(second.heard(), {"envelope_id": "i1", "answer": {"ephemeral_text": "hi"}})
        second.tell(**self.click("i1"))
        self.assertEqual(second.heard(), {"envelope_id": "i1", "answer": {"ephemeral_text": "hi"}})
        self.assertEqual(len(handled), 1)

    def posted(self, server: SocketServer) -> list[tuple[str, Any]]:
        return [(line, body) for line, body in server.asked if line.startswith("POST")]

    def test_with_two_answers_the_first_is_sent_immediately_and_the_second_as_a_request(self) -> None:
        server, bot = self.start()
        answered, free = threading.Event(), threading.Event()
        self.addCleanup(free.set)

        @bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.update("working")
            ctx.reply("done")
            answered.set()
            free.wait(SOON)

        bot.start("socket", wait=False)
        peer = server.peer(0)
        peer.tell(**self.click("i1"))
        first = {"envelope_id": "i1", "answer": {"update_message": {"text": "working"}}}
        self.assertEqual((peer.heard(), self.posted(server)), ({**first, "later": True}, []))
        peer.tell(type="told", envelope_id="i1")
        self.assertTrue(answered.wait(SOON))
        self.assertEqual(self.posted(server), [("POST /api/v1/bot/responses/tlr_1", {"send_message": {"text": "done"}})])
        # The work has not ended: if the bot died now, the click would be delivered again.
        free.set()
        self.assertEqual(peer.heard(), first)

    def test_a_form_can_be_answered_after_later(self) -> None:
        server, bot = self.start()

        @bot.submit("go")
        def submit(ctx: SubmitContext) -> None:
            ctx.later()
            if ctx.values:
                ctx.errors({"reason": "too short"})

        bot.start("socket", wait=False)
        peer = server.peer(0)
        # A form without an answer would stay locked.
        for key, values, end in (("i1", {"reason": "x"}, {}), ("i2", {}, {"answer": {}})):
            told = self.click(key)
            told["payload"] |= {"event_type": "modal.submit", "values": values}
            peer.tell(**told)
            self.assertEqual(peer.heard(), {"envelope_id": key, "later": True})
            peer.tell(type="told", envelope_id=key)
            self.assertEqual(peer.heard(), {"envelope_id": key, **end})
        self.assertEqual(
            self.posted(server), [("POST /api/v1/bot/interactions/i1/respond", {"errors": {"reason": "too short"}})]
        )

    def test_deletions_and_late_answers_use_the_response_token(self) -> None:
        server, bot = self.start()
        bot.click("go", lambda ctx: ctx.delete())

        @bot.command("/deploy")
        def deploy(ctx: CommandContext) -> None:
            ctx.later()
            ctx.reply("done")

        bot.start("socket", wait=False)
        peer = server.peer(0)
        peer.tell(**self.click("i1"))
        self.assertEqual(peer.heard(), {"envelope_id": "i1", "later": True})
        peer.tell(type="told", envelope_id="i1")
        peer.heard()
        peer.tell(type="command", envelope_id="2", payload={"trigger_id": "t", "command": "deploy", "response_token": "tlr_2"})
        self.assertEqual(peer.heard(), {"envelope_id": "2", "later": True})
        peer.tell(type="told", envelope_id="2")
        self.assertEqual(peer.heard(), {"envelope_id": "2"})
        late = [body for line, body in self.posted(server) if "/responses/" in line]
        self.assertEqual(late, [{"delete_message": True}, {"send_message": {"text": "done"}}])

    def test_repeats_a_reply_lost_with_its_connection_and_waits_for_it(self) -> None:
        server, bot = self.start()

        @bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.update("working")
            ctx.reply("done")

        bot.start("socket", wait=False)
        server.peer(0).tell(**self.click("i1"))
        said = server.peer(0).heard()
        server.peer(0).close()
        second = server.peer(1)
        second.tell(**self.click("i1"))
        self.assertEqual((second.heard(), self.posted(server)), (said, []))
        second.tell(type="told", envelope_id="i1")
        self.assertEqual(second.heard(), {"envelope_id": "i1", "answer": said["answer"]})
        self.assertEqual(len(self.posted(server)), 1)

    def test_a_rejected_answer_does_not_block_the_handler(self) -> None:
        server, bot = self.start()
        ended = threading.Event()

        @bot.click("go")
        def click(ctx: ClickContext) -> None:
            ctx.ephemeral("")
            ctx.later()
            ended.set()

        bot.start("socket", wait=False)
        peer = server.peer(0)
        peer.tell(**self.click("i1"))
        peer.heard()
        peer.tell(type="error", envelope_id="i1", code="invalid_field", error="no")
        self.assertTrue(ended.wait(1.5))

    def test_a_refused_bot_stops_with_the_error(self) -> None:
        server = SocketServer(lambda line: (409, {}) if "/socket" in line else (200, {"bot": {"id": "b", "event_delivery_mode": "poll"}}))
        self.addCleanup(server.close)
        with self.assertRaises(TielineError) as caught:
            Bot(server.url, "t").start("socket")
        self.assertEqual(caught.exception.status, 409)


class Reading(unittest.TestCase):
    """`client.socket()`, without Bot."""

    def test_reads_envelopes_and_acknowledges_them_over_the_next_socket(self) -> None:
        server = SocketServer(lambda line: (200, {}))
        self.addCleanup(server.close)
        client = self.enterContext(Client(server.url, "t"))
        troubles: list[Exception] = []
        opened: list[bool] = []
        reading = self.enterContext(
            client.socket(on_trouble=troubles.append, on_open=lambda: opened.append(True))
        )
        envelopes = iter(reading)
        told = {"type": "command", "envelope_id": "7", "attempt": 1, "payload": {"trigger_id": "t"}}

        def serve() -> None:
            server.peer(0).tell(type="hello")
            server.peer(0).tell(**told)

        threading.Thread(target=serve, daemon=True).start()
        came = next(envelopes)
        self.assertEqual((came.type, came.attempt, came.payload, opened), ("command", 1, {"trigger_id": "t"}, [True]))
        server.peer(0).close()
        second = server.peer(1)
        self.assertEqual(len(troubles), 1)
        second.tell(**{**told, "attempt": 2})
        second.tell(**{**told, "envelope_id": "8"})
        # It is already known, so only the other one is returned.
        self.assertEqual(next(envelopes).envelope_id, "8")
        came.ack({"text": "hi"})
        came.ack({"text": "only the first counts"})
        self.assertEqual(second.heard(), {"envelope_id": "7", "answer": {"text": "hi"}})
        second.tell(**{**told, "attempt": 3})
        self.assertEqual(second.heard(), {"envelope_id": "7", "answer": {"text": "hi"}})
        reading.close()
        self.assertEqual(list(envelopes), [])

    def test_raises_errors_that_retrying_cannot_fix(self) -> None:
        server = SocketServer(lambda line: (409, {}))
        self.addCleanup(server.close)
        client = self.enterContext(Client(server.url, "t"))
        with self.assertRaises(TielineError) as caught:
            next(iter(client.socket()))
        self.assertEqual(caught.exception.status, 409)
