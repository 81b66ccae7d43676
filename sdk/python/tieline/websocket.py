"""
A WebSocket client (RFC 6455) with the features that Tieline's socket needs: texts, pings, close. No
extensions.
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import struct
import threading
from collections.abc import Mapping
from http.client import HTTPException
from typing import BinaryIO

from .errors import TielineError
from .transport import Transport, no_response

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_MAX_MESSAGE = 4 * 1024 * 1024
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class ConnectionClosed(Exception):
    """The connection is closed. `code` is the other side's, or 1006 if it was lost."""

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(f"closed with {code}" + (f": {reason}" if reason else ""))
        self.code, self.reason = code, reason


class WebSocket:
    """A connection. One thread receives, any thread may send."""

    def __init__(self, connection: socket.socket, reader: BinaryIO) -> None:
        self._socket, self._reader = connection, reader
        self._sending = threading.Lock()
        self._is_closed = False

    @classmethod
    def connect(cls, transport: Transport, path: str, headers: Mapping[str, str], silence: float) -> WebSocket:
        """
        Opens a connection. `silence`: seconds without any data, pings included, after which it is
        considered dead.

        :raises TielineError: the handshake was refused, or there was no response
        """
        key = base64.b64encode(os.urandom(16))
        handshake = {
            **headers,
            "upgrade": "websocket",
            "connection": "Upgrade",
            "sec-websocket-version": "13",
            "sec-websocket-key": key.decode(),
        }
        connection = transport.connect(silence)
        try:
            connection.connect()
            kept = connection.sock
            response = transport.exchange(connection, "GET", path, handshake, None)
            accepted = base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode()
            if response.status != 101:
                body = response.read()
                raise _refused(path, response.status, response.getheader("retry-after"), body)
            if response.getheader("sec-websocket-accept") != accepted:
                raise TielineError(f"GET {path}: the server did not open a WebSocket", code="invalid_answer")
        except (OSError, HTTPException) as error:
            connection.close()
            raise no_response(error) from error
        except BaseException:
            connection.close()
            raise
        # Data sent right after the handshake is in this reader's buffer. The response would close it on garbage collection.
        reader, response.fp = response.fp, None  # type: ignore[assignment]
        return cls(kept, reader)

    def receive(self) -> str:
        """
        Returns the next text.

        :raises ConnectionClosed: the connection is closed
        """
        pieces: list[bytes] = []
        while True:
            is_last, opcode, payload = self._frame()
            if opcode == _PING:
                self._send(_PONG, payload)
            elif opcode == _CLOSE:
                self._over(payload)
            elif opcode in (_TEXT, _BINARY, _CONTINUATION):
                pieces.append(payload)
                if sum(map(len, pieces)) > _MAX_MESSAGE:
                    self.close(1009)
                    raise ConnectionClosed(1009, "too large")
                if is_last:
                    return b"".join(pieces).decode("utf-8")

    def send(self, text: str) -> None:
        """
        Sends a text.

        :raises ConnectionClosed: the connection is closed; it is unknown whether the text arrived
            before that
        """
        self._send(_TEXT, text.encode())

    def close(self, code: int = 1000) -> None:
        """Closes the connection, even while another thread receives."""
        if self._is_closed:
            return
        try:
            self._send(_CLOSE, struct.pack("!H", code))
        except ConnectionClosed:
            pass
        self._is_closed = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def dispose(self) -> None:
        """Releases the file descriptor once no thread receives any more."""
        self.close()
        self._reader.close()
        self._socket.close()

    def _frame(self) -> tuple[bool, int, bytes]:
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._read(8))
        if second & 0x80 or first & 0x70 or length > _MAX_MESSAGE:
            self.close(1002)
            raise ConnectionClosed(1002, "invalid frame")
        return bool(first & 0x80), first & 0x0F, self._read(length)

    def _read(self, count: int) -> bytes:
        try:
            data = self._reader.read(count)
        except (OSError, ValueError) as error:  # ValueError: the reader has been closed
            raise ConnectionClosed(1006, str(error)) from error
        if data is None or len(data) < count:
            raise ConnectionClosed
        return data

    def _send(self, opcode: int, payload: bytes) -> None:
        if self._is_closed:
            raise ConnectionClosed
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65_536:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        try:
            with self._sending:
                self._socket.sendall(head + mask + _masked(payload, mask))
        except OSError as error:
            raise ConnectionClosed(1006, str(error)) from error

    def _over(self, payload: bytes) -> None:
        code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
        self.close(code if code != 1005 else 1000)
        raise ConnectionClosed(code, payload[2:].decode("utf-8", "replace"))


def _masked(payload: bytes, mask: bytes) -> bytes:
    """Returns each byte XOR the mask, computed as one large number."""
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def _refused(path: str, status: int, retry_after: str | None, body: bytes) -> TielineError:
    asked = float(retry_after) if retry_after and retry_after.isdecimal() else None
    text = body.decode("utf-8", "replace")
    return TielineError(f"GET {path}: {status} {text}", status=status, code=f"http_{status}", retry_after=asked, body=text)
