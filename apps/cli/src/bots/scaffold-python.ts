/** The same bot in Python. */
export const PYTHON_BOT = `import time

from tieline import Bot

# TIELINE_URL and TIELINE_TOKEN say where and who; TIELINE_VIA (poll, socket, push or callback) how the bot learns of things.
bot = Bot()


def question(name):
    deploy = {"type": "button", "action_id": "deploy", "text": "Deploy …", "style": "primary", "data": name}
    dismiss = {"type": "button", "action_id": "dismiss", "text": "Never mind"}
    return [{"type": "actions", "elements": [deploy, dismiss]}]


@bot.command("/hello", description="Says hello")
def hello(ctx):
    ctx.reply(f"Hello, <@{ctx.user_id}>!")


@bot.command("/deploy", description="Deploys something", usage_hint="<name>")
def deploy(ctx):
    if not ctx.text:
        return ctx.ephemeral("Say what: /deploy <name>")
    return ctx.reply(f"Deploy {ctx.text}?", question(ctx.text))


@bot.click("dismiss")
def dismiss(ctx):
    ctx.delete()


@bot.click("deploy")
def ask(ctx):
    fields = [{"id": "reason", "type": "text", "label": "Why now?", "required": True}]
    form = {"title": f"Deploy {ctx.data}", "private_metadata": ctx.data, "validate": True, "submit_label": "Deploy"}
    ctx.open_modal({**form, "fields": fields})


@bot.submit("deploy")
def work(ctx):
    reason = str(ctx.values["reason"])
    if len(reason) < 5:
        return ctx.errors({"reason": "A few words more, please."})
    ctx.update(f"Deploying {ctx.private_metadata} …", [])
    ctx.later()  # nobody has to wait for the work
    time.sleep(2)
    return ctx.reply(f"{ctx.private_metadata} is deployed: {reason}")


bot.start()
`;

export const PYPROJECT = (name: string): string => `[project]
name = "${name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["tieline"]
`;
