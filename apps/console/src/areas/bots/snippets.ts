/** An example program for a bot. */
interface Snippet {
  id: 'curl' | 'typescript' | 'python';
  title: string;
  text: string;
}

/**
 * Returns runnable example programs. They read the token from the environment, so that it is not
 * committed to a repository.
 *
 * @param origin origin of the api
 * @param channelId a channel the bot is a member of; without one, the first program only identifies
 * the bot
 */
export function snippetsFor(origin: string, channelId: string | undefined): Snippet[] {
  return [
    { id: 'curl', title: 'curl', text: curl(origin, channelId) },
    { id: 'typescript', title: 'TypeScript', text: typescript(origin) },
    { id: 'python', title: 'Python', text: python(origin) },
  ];
}

function curl(origin: string, channelId: string | undefined): string {
  const call = channelId
    ? `curl -sS -X POST ${origin}/api/v1/bot/messages \\
  -H "Authorization: Bearer $TIELINE_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"conversation_id":"${channelId}","content":"Hello"}'`
    : `curl -sS ${origin}/api/v1/bot/me \\
  -H "Authorization: Bearer $TIELINE_TOKEN"`;
  return `export TIELINE_TOKEN='paste the token'\n${call}`;
}

const typescript = (origin: string): string => `// TIELINE_URL=${origin} TIELINE_TOKEN=… node bot.mjs
import { Bot } from '@tieline/sdk';

const bot = new Bot();

bot.command('/hello', { description: 'Says hello' }, (ctx) => ctx.reply(\`Hello, <@\${ctx.userId}>\`));

await bot.start();`;

const python = (origin: string): string => `# TIELINE_URL=${origin} TIELINE_TOKEN=… python3 bot.py
from tieline import Bot

bot = Bot()


@bot.command("/hello", description="Says hello")
def hello(ctx):
    ctx.reply(f"Hello, <@{ctx.user_id}>")


bot.start()`;
