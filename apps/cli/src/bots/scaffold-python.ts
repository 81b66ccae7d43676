import { SDK_VERSION } from '@tieline/sdk';

/** Source of the Python bot, equivalent to scaffold-javascript.ts. */
export const PYTHON_BOT = `import time

from tieline import Bot, ClickContext, CommandContext, SubmitContext, fields, modal
from tieline.blocks import Block, actions
from tieline.elements import button

# TIELINE_URL is the server, TIELINE_TOKEN the bot's token, TIELINE_VIA how events arrive: poll, socket, push or callback.
bot = Bot()


def question(name: str) -> list[Block]:
    return [actions(button("deploy", "Deploy …", style="primary", data=name), button("dismiss", "Never mind"))]


@bot.command("/hello", description="Says hello")
def hello(ctx: CommandContext) -> None:
    ctx.reply(f"Hello, <@{ctx.user_id}>!")


@bot.command("/deploy", description="Deploys something", usage_hint="<name>")
def deploy(ctx: CommandContext) -> None:
    if ctx.text:
        ctx.reply(f"Deploy {ctx.text}?", question(ctx.text))
    else:
        ctx.ephemeral("Usage: /deploy <name>")


@bot.click("dismiss")
def dismiss(ctx: ClickContext) -> None:
    ctx.delete()


@bot.click("deploy")
def ask(ctx: ClickContext) -> None:
    reason = fields.text("reason", "Why now?", required=True)
    ctx.open_modal(modal(f"Deploy {ctx.data}", [reason], submit="Deploy", private_metadata=ctx.data))


@bot.submit("deploy")
def work(ctx: SubmitContext) -> None:
    reason = str(ctx.values["reason"])
    if len(reason) < 5:
        ctx.errors({"reason": "A few words more, please."})
        return
    ctx.update(f"Deploying {ctx.private_metadata} …", [])
    ctx.later()  # answers now; the work below may take longer
    time.sleep(2)
    ctx.reply(f"{ctx.private_metadata} is deployed: {reason}")


bot.start()
`;

export const PYPROJECT = (name: string): string => `[project]
name = "${name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["tieline==${SDK_VERSION}"]
`;
