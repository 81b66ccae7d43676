"""The README's programs are valid Python and use only existing names."""

import ast
import re
import unittest
from pathlib import Path

import tieline
from tieline import blocks, bot, elements

FOLDER = Path(__file__).parents[1]
PROGRAMS = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
EXAMPLE = FOLDER.parents[1] / "examples" / "forty-lines" / "bot.py"


class Readme(unittest.TestCase):
    def test_programs_are_valid_and_import_existing_names(self) -> None:
        self.assertGreater(len(PROGRAMS), 2)
        modules = {"tieline": tieline, "tieline.blocks": blocks, "tieline.elements": elements}
        for program in [*PROGRAMS, EXAMPLE.read_text("utf-8")]:
            for node in ast.walk(ast.parse(program)):
                if isinstance(node, ast.ImportFrom) and node.module in modules:
                    for name in node.names:
                        self.assertTrue(hasattr(modules[node.module], name.name), name.name)

    def test_handlers_exist(self) -> None:
        named = re.findall(r"`@bot\.(\w+)", (FOLDER / "README.md").read_text("utf-8"))
        self.assertGreater(len(named), 5)
        for name in named:
            self.assertTrue(hasattr(bot.Bot, name), name)

    def test_the_bot_in_forty_lines_is_not_longer(self) -> None:
        self.assertLessEqual(len(EXAMPLE.read_text("utf-8").splitlines()), 40)
