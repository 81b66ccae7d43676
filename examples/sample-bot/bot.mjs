/**
 * A bot with buttons, a select, modals and a slash command. Start it with MODE=callback or MODE=poll; README.md says what
 * else it wants to know. What it does is in release.mjs, the same for both modes.
 */
import { serveCallbacks } from './callback-mode.mjs';
import { pollEvents } from './poll-mode.mjs';
import { call } from './tieline.mjs';

const { MODE, BOT_PORT = '4000', CLICKS_SECRET, COMMAND_SECRET, CURSOR_FILE = 'cursor' } = process.env;
const MODES = {
  callback: () =>
    serveCallbacks({ port: Number(BOT_PORT), clicksSecret: CLICKS_SECRET, commandSecret: COMMAND_SECRET }),
  poll: () => pollEvents(CURSOR_FILE),
};

const run = MODES[MODE];
if (!run) throw new Error(`MODE is ${Object.keys(MODES).join(' or ')}`);
// A bot in mode poll is never called back, whatever addresses Tieline knows of it.
await call('PATCH', '/bot/me', { event_delivery_mode: MODE === 'poll' ? 'poll' : 'none' });
await run();
