"""Published programs are annotated, and mypy finds no errors in them where it is installed."""

import ast
import importlib.util
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

FOLDER = Path(__file__).parents[1]
ROOT = FOLDER.parents[1]
SNIPPETS = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
SCAFFOLD = (ROOT / "apps" / "cli" / "src" / "bots" / "scaffold-python.ts").read_text("utf-8")
#: Names that the README's snippets expect.
PRELUDE = """
from collections.abc import Iterator, Mapping
from tieline import Bot, EventContext
bot = Bot()
channel = message_id = url = secret = new_secret = old_secret = ""
raw_body = b""
class request:
    headers: Mapping[str, str] = {}
def model(text: str) -> Iterator[str]:
    yield text
"""


def _template() -> str:
    """Returns the bot that `tieline bot init --language python` writes."""
    found = re.search(r"PYTHON_BOT = `(.*?)`;", SCAFFOLD, re.DOTALL)
    assert found, "the template is where it was"
    return found[1]


def programs() -> dict[str, str]:
    """Returns all programs by file name."""
    first, *others = SNIPPETS
    shown = {f"readme_{number}.py": PRELUDE + text for number, text in enumerate(others, 2)}
    example = (ROOT / "examples" / "forty-lines" / "bot.py").read_text("utf-8")
    return {"readme_1.py": first, **shown, "forty_lines.py": example, "template.py": _template()}


def mypy(files: dict[str, str]) -> str:
    """Returns the output of mypy --strict. Empty without errors."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, "utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(Path(folder) / "cache")]
        paths = {"MYPYPATH": str(FOLDER), "PATH": ""}
        done = subprocess.run([*command, *files], cwd=folder, env=paths, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stdout + done.stderr


class Shown(unittest.TestCase):
    def test_every_handler_annotates_its_context(self) -> None:
        for name, text in programs().items():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef):
                    with self.subTest(name, function=node.name):
                        self.assertIsNotNone(node.returns)
                        self.assertEqual([one.arg for one in node.args.args if one.annotation is None], [])


if importlib.util.find_spec("mypy"):

    class Checked(unittest.TestCase):
        maxDiff = None

        def test_readme_template_and_example_have_no_errors(self) -> None:
            self.assertEqual(mypy(programs()), "")

        def test_reports_a_wrong_handler_and_a_misspelled_option(self) -> None:
            wrong = {
                "click over a form": '@bot.click("x")\ndef f(ctx: SubmitContext) -> None: ...',
                "a command of two arguments": '@bot.command("/y")\ndef g(a: int, b: str) -> None: ...',
                "as an argument": 'def h(ctx: SubmitContext) -> None: ...\nbot.click("z", h)',
                "an option without its type": 'bot.command("/o", options=[{"nme": "x", "type": "string"}])',
                "a type that there is none of": 'bot.command("/o", options=[{"name": "x", "type": "strng"}])',
                "a run without a task": 'def r(c: EventContext) -> None:\n    with bot.run(c) as run:\n        run.task.review()',
            }
            for name, text in wrong.items():
                with self.subTest(name):
                    start = "from tieline import Bot, EventContext, SubmitContext\nbot = Bot()\n"
                    self.assertIn("error", mypy({"wrong.py": start + textwrap.dedent(text) + "\n"}))
