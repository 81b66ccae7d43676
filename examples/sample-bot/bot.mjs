/**
 * A bot with buttons, pickers, modals and slash commands. TIELINE_VIA selects how it receives
 * events: poll, socket or callback. README.md lists the other settings. The handlers are in
 * release.mjs and plan.mjs.
 */
import { Bot } from '@tieline/sdk';
import { plan } from './plan.mjs';
import { release } from './release.mjs';
import { suggestVersions } from './versions.mjs';

const { CLICKS_SECRET, COMMAND_SECRET, PLAN_SECRET } = process.env;

// Clicks and each command have their own secrets. Only callbacks need them.
const secrets = { clicks: CLICKS_SECRET, commands: { release: COMMAND_SECRET, plan: PLAN_SECRET } };
const bot = new Bot(CLICKS_SECRET ? { secrets } : {});

release(bot);
plan(bot);
// A person types into a command or a form.
bot.options('version', (ctx) => suggestVersions(ctx.typed));

const { conversations } = await bot.client.call('GET', '/api/v1/bot/conversations', {
  query: { member: true, limit: 200 },
});
console.log(`in ${conversations.map(({ name }) => name).join(', ') || 'no conversation'}`);
await bot.start();
