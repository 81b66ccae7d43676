"""Tests with the published vectors of docs/signing.md."""

import json
import re
import unittest
from pathlib import Path
from typing import Any

from tieline import SignatureError, is_genuine, sign, signed_request, verify
from tieline.signatures import SCHEMES, signature

DOCUMENT = Path(__file__).parents[3] / "docs" / "signing.md"
_BLOCK = re.search(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
assert _BLOCK, "docs/signing.md has vectors"
PUBLISHED = json.loads(_BLOCK[1])
SECRET, ID, AT = PUBLISHED["secret"], PUBLISHED["id"], int(PUBLISHED["timestamp"])
BODY = b'{"a":"\xc3\xa9"}'
OTHER = "whsec_b3RoZXIgc2VjcmV0LCBhbHNvIG9mIDMyIGJ5dGVzISE="
REFUSALS = json.loads((DOCUMENT.parents[1] / "libs/sdk/src/signatures/refusals.json").read_text("utf-8"))


class Vectors(unittest.TestCase):
    def test_every_scheme_has_vectors(self) -> None:
        self.assertEqual({one["scheme"] for one in PUBLISHED["vectors"]}, set(SCHEMES))

    def test_signatures_match_the_vectors(self) -> None:
        for vector in PUBLISHED["vectors"]:
            with self.subTest(vector["scheme"], body=vector["body"]):
                made = signature(vector["scheme"], SECRET, vector["body"].encode(), AT, ID)
                self.assertEqual(made, vector["signature"])

    def test_verifies_its_own_signatures(self) -> None:
        for vector in PUBLISHED["vectors"]:
            with self.subTest(vector["scheme"]):
                body = vector["body"].encode()
                headers = sign(vector["scheme"], SECRET, body, timestamp=AT, message_id=ID)
                self.assertIn(vector["signature"], headers.values())
                verify(SECRET, headers, body, scheme=vector["scheme"], now=AT)


class Refusals(unittest.TestCase):
    """Uses the same list as the SDK for TypeScript."""

    def test_rejects_each(self) -> None:
        body, now = REFUSALS["body"].encode(), REFUSALS["now"]
        self.assertGreater(len(REFUSALS["refusals"]), 20)
        for one in REFUSALS["refusals"]:
            with self.subTest(one["name"], scheme=one["scheme"]):
                kind = ValueError if one["refused"] == "secret" else SignatureError
                with self.assertRaises(kind) as caught:
                    verify(one["secret"], one["headers"], body, scheme=one["scheme"], now=now)
                if isinstance(caught.exception, SignatureError):
                    self.assertEqual(caught.exception.fault, one["refused"])


class Verifying(unittest.TestCase):
    def refused(
        self, fault: str, scheme: Any, headers: dict[str, str], secrets: Any = SECRET, body: bytes = BODY, now: int = AT
    ) -> None:
        with self.assertRaises(SignatureError) as caught:
            verify(secrets, headers, body, scheme=scheme, now=now)
        self.assertEqual((caught.exception.fault, caught.exception.scheme), (fault, scheme))
        self.assertFalse(is_genuine(secrets, headers, body, scheme=scheme, now=now))

    def signed(self, scheme: Any, secret: str = SECRET, **more: Any) -> dict[str, str]:
        return sign(scheme, secret, BODY, timestamp=AT, message_id=ID, **more)

    def test_rejects_any_difference(self) -> None:
        for scheme in SCHEMES:
            headers = self.signed(scheme)
            with self.subTest(scheme):
                self.refused("wrong_signature", scheme, headers, secrets=OTHER)
                self.refused("wrong_signature", scheme, headers, secrets=[])
                self.refused("wrong_signature", scheme, headers, body=BODY + b" ")
                self.refused("no_signature", scheme, {})
                self.refused("too_old", scheme, headers, now=AT + 301)
                self.refused("in_the_future", scheme, headers, now=AT - 301)
                verify(SECRET, headers, BODY, scheme=scheme, now=AT + 300)
                verify(SECRET, headers, BODY, scheme=scheme, now=AT - 300)

    def test_reports_the_wrong_part(self) -> None:
        headers = self.signed("outgoing")
        for change, fault in (
            ({"x-service-timestamp": ""}, "malformed_timestamp"),
            ({"x-service-timestamp": "1.0"}, "malformed_timestamp"),
            ({"x-service-timestamp": "１７６４５４７２００"}, "malformed_timestamp"),
            ({"x-service-timestamp": f"{AT}000"}, "timestamp_in_milliseconds"),
            ({"x-service-signature": headers["x-service-signature"][:-1]}, "malformed_signature"),
            ({"x-service-signature": "v1=" + "0" * 64}, "malformed_signature"),
        ):
            with self.subTest(change):
                self.refused(fault, "outgoing", {**headers, **change})
        self.refused("no_timestamp", "outgoing", {"x-service-signature": headers["x-service-signature"]})
        standard = {name: value for name, value in self.signed("standard_webhooks").items() if name != "webhook-id"}
        self.refused("no_id", "standard_webhooks", standard)

    def test_accepts_any_of_several_secrets(self) -> None:
        for scheme in SCHEMES:
            verify([OTHER, SECRET], self.signed(scheme), BODY, scheme=scheme, now=AT)

    def test_accepts_the_signature_of_the_previous_secret(self) -> None:
        old = self.signed("outgoing")["x-service-signature"]
        verify(SECRET, {**self.signed("outgoing", OTHER), "X-Service-Signature-Previous": old}, BODY, now=AT)

    def test_accepts_one_of_several_standard_webhooks_signatures(self) -> None:
        headers, other = self.signed("standard_webhooks"), self.signed("standard_webhooks", OTHER)
        headers["webhook-signature"] = f"{other['webhook-signature']} {headers['webhook-signature']}"
        verify(SECRET, headers, BODY, now=AT)

    def test_detects_the_scheme(self) -> None:
        for scheme in ("outgoing", "bot_push", "standard_webhooks"):
            self.assertEqual(verify(SECRET, self.signed(scheme), BODY, now=AT), scheme)
        both = {**self.signed("outgoing", OTHER), **self.signed("standard_webhooks")}
        self.assertEqual(verify(SECRET, both, BODY, now=AT), "standard_webhooks")

    def test_rejects_another_scheme(self) -> None:
        self.refused("wrong_signature", "outgoing", self.signed("incoming_native"))

    def test_accepts_header_names_in_any_case_and_the_second_spelling_of_compat(self) -> None:
        verify(SECRET, {name.upper(): value for name, value in self.signed("bot_push").items()}, BODY, now=AT)
        slack = {name.replace("compat", "slack"): value for name, value in self.signed("incoming_compat").items()}
        verify(SECRET, slack, BODY, scheme="incoming_compat", now=AT)

    def test_accepts_only_bytes(self) -> None:
        with self.assertRaises(TypeError):
            verify(SECRET, {}, "{}")  # type: ignore[arg-type]

    def test_signed_requests_for_tests_are_valid(self) -> None:
        headers, body = signed_request("outgoing", SECRET, {"text": "é"}, event="button.click")
        self.assertEqual((json.loads(body), headers["x-service-event"]), ({"text": "é"}, "button.click"))
        verify(SECRET, headers, body)
