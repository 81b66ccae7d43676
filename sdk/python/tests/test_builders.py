"""The builders build what docs/buttons-and-menus.md and docs/modals.md describe and reject what the server would."""

import json
import unittest
from collections.abc import Callable
from typing import Any

from tieline import LimitError, blocks, elements, fields, modal

USER = "0198f3a2-7c1b-7000-8000-00000000ffff"


class Elements(unittest.TestCase):
    def refused(self, place: str, build: Callable[[], Any]) -> None:
        with self.assertRaises(LimitError) as caught:
            build()
        self.assertEqual(caught.exception.place, place)

    def test_the_message_of_the_document(self) -> None:
        confirm = elements.confirm("Everybody will see it.", title="Deploy?", confirm_label="Deploy", cancel_label="No")
        deploy = elements.button("deploy", "Deploy", style="primary", data='{"build":4711}', confirm=confirm)
        stage = elements.select("stage", {"test": "Test", "live": "Production"}, placeholder="Where to")
        text = blocks.metadata([blocks.section("Build **4711**"), blocks.actions(deploy, stage)], build=4711)
        self.assertEqual(
            json.loads(text),
            {
                "version": 1,
                "build": 4711,
                "blocks": [
                    {"type": "section", "text": {"type": "mrkdwn", "text": "Build **4711**"}},
                    {
                        "type": "actions",
                        "elements": [
                            {
                                "type": "button",
                                "action_id": "deploy",
                                "text": "Deploy",
                                "style": "primary",
                                "data": '{"build":4711}',
                                "confirm": {
                                    "title": "Deploy?",
                                    "text": "Everybody will see it.",
                                    "confirm_label": "Deploy",
                                    "cancel_label": "No",
                                },
                            },
                            {
                                "type": "select",
                                "action_id": "stage",
                                "options": [{"value": "test", "label": "Test"}, {"value": "live", "label": "Production"}],
                                "placeholder": "Where to",
                            },
                        ],
                    },
                ],
            },
        )

    def test_every_element(self) -> None:
        made = [
            elements.radio("a", ["x", "y"], initial="x"),
            elements.overflow("b", ["x"]),
            elements.multi_select("c", ["x", "y"], initial=["y"], min_selected=1, max_selected=2),
            elements.checkboxes("d", ["x"], visible_to=[USER]),
            elements.user_select("e", initial=USER),
            elements.conversation_select("f", placeholder="Where"),
            elements.date_picker("g", initial="2028-02-29"),
            elements.time_picker("h", initial="23:59"),
        ]
        self.assertEqual(
            [one["type"] for one in made],
            [
                *("radio", "overflow", "multi_select", "checkboxes"),
                *("user_select", "conversation_select", "date_picker", "time_picker"),
            ],
        )
        self.assertEqual(made[3]["visibility_user_ids"], [USER])
        self.assertNotIn("initial", made[1])

    def test_small_actions(self) -> None:
        judge = elements.feedback("judge", positive={"text": "Good", "data": "up"}, negative={})
        again = elements.icon_button("again", "refresh", "Try again", data="x", visible_to=[USER])
        self.assertEqual(
            blocks.context_actions(judge, again),
            {
                "type": "context_actions",
                "elements": [
                    {
                        "type": "feedback_buttons",
                        "action_id": "judge",
                        "positive": {"text": "Good", "data": "up"},
                        "negative": {},
                    },
                    {
                        "type": "icon_button",
                        "action_id": "again",
                        "icon": "refresh",
                        "text": "Try again",
                        "data": "x",
                        "visible_to": [USER],
                    },
                ],
            },
        )
        self.assertEqual(elements.feedback("judge"), {"type": "feedback_buttons", "action_id": "judge"})

    def test_limits_of_small_actions(self) -> None:
        judge = blocks.context_actions(elements.feedback("a"))
        other = blocks.context_actions(elements.feedback("b"))
        rows = [blocks.context_actions(elements.icon_button(f"b{number}", "copy", "x")) for number in range(6)]
        cases: list[tuple[str, Callable[[], Any]]] = [
            ("action_id", lambda: elements.feedback("Good")),
            ("positive.text", lambda: elements.feedback("a", positive={"text": " "})),
            ("negative.data", lambda: elements.feedback("a", negative={"data": "x" * 2001})),
            ("icon", lambda: elements.icon_button("a", "trash", "x")),
            ("text", lambda: elements.icon_button("a", "copy", "x" * 76)),
            ("visible_to[0]", lambda: elements.icon_button("a", "copy", "x", visible_to=["ann"])),
            ("elements", lambda: blocks.context_actions(*[elements.feedback("a")] * 6)),
            ("blocks", lambda: blocks.metadata(rows)),
            ("elements[1].action_id", lambda: blocks.metadata([judge, blocks.actions(elements.button("a", "x"))])),
            ("elements", lambda: blocks.metadata([judge, other])),
        ]
        for place, build in cases:
            with self.subTest(place):
                self.refused(place, build)
        blocks.metadata([*rows[:5], judge][1:])

    def test_limits_of_elements(self) -> None:
        many = [str(number) for number in range(26)]
        cases: list[tuple[str, Callable[[], Any]]] = [
            ("action_id", lambda: elements.button("Deploy", "x")),
            ("action_id", lambda: elements.button("a" * 65, "x")),
            ("text", lambda: elements.button("a", " ")),
            ("text", lambda: elements.button("a", "é" * 76)),
            ("style", lambda: elements.button("a", "x", style="red")),  # type: ignore[arg-type]
            ("data", lambda: elements.button("a", "x", data="x" * 2001)),
            ("url", lambda: elements.button("a", "x", url="http://example.com")),
            ("options", lambda: elements.select("a", [])),
            ("options", lambda: elements.select("a", many)),
            ("options[1].value", lambda: elements.select("a", ["x", "x"])),
            ("options[0].label", lambda: elements.select("a", {"x": "x" * 76})),
            ("initial", lambda: elements.select("a", ["x"], initial="y")),
            ("placeholder", lambda: elements.select("a", ["x"], placeholder="x" * 101)),
            ("max_selected", lambda: elements.checkboxes("a", ["x"], max_selected=0)),
            ("min_selected", lambda: elements.checkboxes("a", ["x"], min_selected=2)),
            ("initial", lambda: elements.multi_select("a", ["x", "y"], initial=["x", "y"], max_selected=1)),
            ("initial", lambda: elements.user_select("a", initial="ann")),
            ("initial", lambda: elements.date_picker("a", initial="2026-02-30")),
            ("initial", lambda: elements.time_picker("a", initial="24:00")),
            ("visibility_user_ids[0]", lambda: elements.button("a", "x", visible_to=["ann"])),
            ("title", lambda: elements.confirm(title="x" * 76)),
        ]
        for place, build in cases:
            with self.subTest(place):
                self.refused(place, build)

    def test_limits_of_blocks(self) -> None:
        button = elements.button("a", "x")
        row = blocks.actions(button)
        others = [blocks.actions(elements.button(f"b{number}", "x")) for number in range(6)]
        cases: list[tuple[str, Callable[[], Any]]] = [
            ("elements", lambda: blocks.actions(*[button] * 6)),
            ("text", lambda: blocks.section("x" * 3001)),
            ("fields", lambda: blocks.section("x", fields=["x"] * 11)),
            ("elements", lambda: blocks.context(*["x"] * 11)),
            ("image_url", lambda: blocks.image("http://example.com/a.png", "A")),
            ("blocks", lambda: blocks.metadata([blocks.divider()] * 51)),
            ("blocks", lambda: blocks.metadata(others)),
            ("elements[1].action_id", lambda: blocks.metadata([row, row])),
            ("metadata_json", lambda: blocks.metadata([], more="é" * 16_400)),
        ]
        for place, build in cases:
            with self.subTest(place):
                self.refused(place, build)
        blocks.metadata([blocks.header("x" * 3000), *others[:5], *[blocks.divider()] * 44])


class Modals(unittest.TestCase):
    def test_the_form_of_the_document(self) -> None:
        made = modal(
            "Deploy",
            [
            fields.select("version", "Version", "bot", required=True),
            fields.text("ticket", "Ticket", pattern=r"[A-Z]+-\d+", placeholder="OPS-4711"),
            fields.date("day", "Day", min="2026-12-01", initial="2026-12-01"),
            fields.checkbox("sure", "Everybody knows", required=True),
            ],
            private_metadata="build 4711",
            notify_on_close=True,
        )
        self.assertEqual(
            made,
            {
                "validate": True,
                "title": "Deploy",
                "private_metadata": "build 4711",
                "notify_on_close": True,
                "fields": [
                    {"id": "version", "type": "select", "label": "Version", "required": True, "options_from": "bot"},
                    {
                        "id": "ticket",
                        "type": "text",
                        "label": "Ticket",
                        "pattern": r"[A-Z]+-\d+",
                        "placeholder": "OPS-4711",
                    },
                    {"id": "day", "type": "date", "label": "Day", "min": "2026-12-01", "initial": "2026-12-01"},
                    {"id": "sure", "type": "checkbox", "label": "Everybody knows", "required": True},
                ],
            },
        )

    def test_limits(self) -> None:
        field = fields.text("a", "A")
        cases: list[tuple[str, Callable[[], Any]]] = [
            ("title", lambda: modal("x" * 101, [field])),
            ("fields", lambda: modal("x", [])),
            ("fields[1].id", lambda: modal("x", [field, field])),
            ("submit_label", lambda: modal("x", [field], submit="x" * 76)),
            ("private_metadata", lambda: modal("x", [field], private_metadata="x" * 3001)),
            ("id", lambda: fields.text("", "A")),
            ("label", lambda: fields.text("a", "x" * 151)),
            ("min_length", lambda: fields.text("a", "A", min_length=2, max_length=1)),
            ("pattern", lambda: fields.text("a", "A", pattern="x" * 201)),
            ("pattern", lambda: fields.text("a", "A", pattern=r"(a)\1")),
            ("pattern", lambda: fields.text("a", "A", pattern=r"(?=a)")),
            ("min", lambda: fields.number("a", "A", min=2, max=1)),
            ("min", lambda: fields.date("a", "A", min="2026-02-30")),
            ("initial", lambda: fields.time("a", "A", initial="9:30")),
            ("initial", lambda: fields.radio("a", "A", ["x"], initial="y")),
            ("options_from", lambda: fields.select("a", "A", "people")),
            ("options", lambda: fields.select("a", "A", [str(number) for number in range(101)])),
        ]
        for place, build in cases:
            with self.subTest(place), self.assertRaises(LimitError) as caught:
                build()
            self.assertEqual(caught.exception.place, place)
