"""Against the vectors of docs/signing.md, as they are published."""

import json
import re
import unittest
from pathlib import Path

from tieline import SignatureError, is_genuine, sign, verify
from tieline.signatures import SCHEMES, signature

DOCUMENT = Path(__file__).parents[3] / "docs" / "signing.md"
_BLOCK = re.search(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
assert _BLOCK, "docs/signing.md has vectors"
PUBLISHED = json.loads(_BLOCK[1])
SECRET, ID, AT = PUBLISHED["secret"], PUBLISHED["id"], int(PUBLISHED["timestamp"])
BODY = b'{"a":"\xc3\xa9"}'
OTHER = "whsec_b3RoZXI="


class Vectors(unittest.TestCase):
    def test_every_scheme_has_vectors(self) -> None:
        self.assertEqual({one["scheme"] for one in PUBLISHED["vectors"]}, set(SCHEMES))

    def test_signatures_are_those_of_the_document(self) -> None:
        for vector in PUBLISHED["vectors"]:
            with self.subTest(vector["scheme"], body=vector["body"]):
                made = signature(vector["scheme"], SECRET, vector["body"].encode(), AT, ID)
                self.assertEqual(made, vector["signature"])

    def test_what_is_signed_is_verified(self) -> None:
        for vector in PUBLISHED["vectors"]:
            with self.subTest(vector["scheme"]):
                body = vector["body"].encode()
                headers = sign(vector["scheme"], SECRET, body, timestamp=AT, message_id=ID)
                self.assertIn(vector["signature"], headers.values())
                verify(vector["scheme"], SECRET, headers, body, now=AT)


class Verifying(unittest.TestCase):
    def refused(self, reason: str, scheme: str, secrets: object, headers: dict, body: bytes, now: float = AT) -> None:
        with self.assertRaises(SignatureError) as caught:
            verify(scheme, secrets, headers, body, now=now)  # type: ignore[arg-type]
        self.assertEqual(caught.exception.reason, reason)
        self.assertFalse(is_genuine(scheme, secrets, headers, body, now=now))  # type: ignore[arg-type]

    def test_refuses_what_differs_in_anything(self) -> None:
        for scheme in SCHEMES:
            headers = sign(scheme, SECRET, BODY, timestamp=AT, message_id=ID)
            with self.subTest(scheme):
                self.refused("mismatch", scheme, OTHER, headers, BODY)
                self.refused("mismatch", scheme, SECRET, headers, BODY + b" ")
                self.refused("mismatch", scheme, [], headers, BODY)
                self.refused("missing", scheme, SECRET, {}, BODY)
                self.refused("timestamp_out_of_window", scheme, SECRET, headers, BODY, AT + 301)
                self.refused("timestamp_out_of_window", scheme, SECRET, headers, BODY, AT - 301)
                verify(scheme, SECRET, headers, BODY, now=AT + 300)

    def test_refuses_a_timestamp_that_is_no_number(self) -> None:
        for text in ("", "x", "1.0", "-1", "17645472000000", "１７６４５４７２００"):
            headers = {**sign("outgoing", SECRET, BODY, timestamp=AT), "x-service-timestamp": text}
            with self.subTest(text):
                self.refused("malformed_timestamp", "outgoing", SECRET, headers, BODY)

    def test_takes_any_of_several_secrets(self) -> None:
        for scheme in SCHEMES:
            headers = sign(scheme, SECRET, BODY, timestamp=AT, message_id=ID)
            verify(scheme, [OTHER, SECRET], headers, BODY, now=AT)

    def test_takes_the_signature_of_the_secret_before(self) -> None:
        new = sign("outgoing", OTHER, BODY, timestamp=AT)
        old = sign("outgoing", SECRET, BODY, timestamp=AT)["x-service-signature"]
        verify("outgoing", SECRET, {**new, "X-Service-Signature-Previous": old}, BODY, now=AT)

    def test_takes_one_of_a_list_of_standard_webhooks(self) -> None:
        headers = sign("standard_webhooks", SECRET, BODY, timestamp=AT, message_id=ID)
        other = sign("standard_webhooks", OTHER, BODY, timestamp=AT, message_id=ID)["webhook-signature"]
        headers["webhook-signature"] = f"{other} {headers['webhook-signature']}"
        verify("standard_webhooks", SECRET, headers, BODY, now=AT)

    def test_one_scheme_is_not_another(self) -> None:
        headers = sign("incoming_native", SECRET, BODY, timestamp=AT)
        self.refused("mismatch", "outgoing", SECRET, headers, BODY)

    def test_names_of_headers_have_any_case(self) -> None:
        headers = {name.upper(): value for name, value in sign("bot_push", SECRET, BODY, timestamp=AT).items()}
        verify("bot_push", SECRET, headers, BODY, now=AT)

    def test_takes_bytes_alone(self) -> None:
        with self.assertRaises(TypeError):
            verify("outgoing", SECRET, {}, "{}")  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
