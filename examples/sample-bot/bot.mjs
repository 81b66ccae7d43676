/**
 * A bot with buttons, pickers, modals and slash commands. Start it with MODE=callback, MODE=poll or MODE=socket; README.md says
 * what else it wants to know. What it does is in release.mjs and plan.mjs, the same for all modes.
 */
import { serveCallbacks } from './callback-mode.mjs';
import { setUpPlan } from './plan.mjs';
import { pollEvents } from './poll-mode.mjs';
import { holdSocket } from './socket-mode.mjs';
import { call } from './tieline.mjs';

const { MODE, BOT_PORT = '4000', CURSOR_FILE = 'cursor' } = process.env;
const { CLICKS_SECRET, COMMAND_SECRET, PLAN_SECRET } = process.env;
const MODES = {
  callback: () =>
    serveCallbacks({
      port: Number(BOT_PORT),
      clicksSecret: CLICKS_SECRET,
      commandSecret: COMMAND_SECRET,
      planSecret: PLAN_SECRET,
    }),
  poll: () => pollEvents(CURSOR_FILE),
  socket: holdSocket,
};

const run = MODES[MODE];
if (!run) throw new Error(`MODE is ${Object.keys(MODES).join(' or ')}`);
// A bot in mode poll is never called back, whatever addresses Tieline knows of it. A socket brings what could be polled.
await call('PATCH', '/bot/me', { event_delivery_mode: MODE === 'callback' ? 'none' : 'poll' });
console.log(`in ${(await setUpPlan()).join(', ') || 'no conversation'}`);
await run();
