/**
 * A bot with buttons, pickers, modals and slash commands. TIELINE_VIA says how it learns of what
 * people do: poll, socket or callback; README.md says what else it wants to know. What it does is
 * in release.mjs and plan.mjs, the same for all three.
 */
import { Bot } from '@tieline/sdk';
import { plan } from './plan.mjs';
import { release } from './release.mjs';
import { suggestVersions } from './versions.mjs';

const { CLICKS_SECRET, COMMAND_SECRET, PLAN_SECRET } = process.env;

// Clicks and each command are signed with secrets of their own. Whoever isn't called back needs
// none.
const secrets = { clicks: CLICKS_SECRET, commands: { release: COMMAND_SECRET, plan: PLAN_SECRET } };
const bot = new Bot(CLICKS_SECRET ? { secrets } : {});

release(bot);
plan(bot);
// Somebody types, into a command or a form.
bot.options('version', (ctx) => suggestVersions(ctx.typed));

const { conversations } = await bot.client.call('GET', '/api/v1/bot/conversations', {
  query: { member: true, limit: 200 },
});
console.log(`in ${conversations.map(({ name }) => name).join(', ') || 'no conversation'}`);
await bot.start();
