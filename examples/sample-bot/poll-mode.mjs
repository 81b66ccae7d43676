/** The bot asks for what people did, and answers with requests of its own. Nothing has to reach it from outside. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerEvent, answerTyping, isTyping } from './answers.mjs';
import { beginPlan } from './plan.mjs';
import { answerCommand } from './release.mjs';
import { answerByTrigger, answerLate, call } from './tieline.mjs';

const PAUSE_MS = 1000;

/** Never ends. The id of the last record that was dealt with is in `cursorFile`, so a restart goes on behind it. */
export async function pollEvents(cursorFile) {
  let cursor = await readFile(cursorFile, 'utf8').catch(() => '');
  console.log(`ready: polling ${cursor ? `behind ${cursor}` : 'from the beginning'}`);
  for (;;) {
    try {
      const { events } = await call('GET', `/bot/events?cursor=${cursor}&wait=25`);
      for (const event of events) {
        await deal(event);
        cursor = event.id;
        await keep(cursorFile, cursor);
      }
    } catch (error) {
      // Tieline is away or has enough of us: the same record comes again.
      console.error(String(error));
      await sleep(PAUSE_MS);
    }
  }
}

/** What can never be dealt with, such as a record answered before a restart (410), must not hold up those behind it. */
async function deal({ event_type: type, payload_json: payload }) {
  try {
    await reply(type, JSON.parse(payload));
  } catch (error) {
    if (error.mayWorkLater) throw error;
    console.error(error);
  }
}

async function reply(type, event) {
  if (type === 'slash.command') await obey(event);
  else if (isTyping(event)) await answerLate(event.response_token, answerTyping(event));
  else if (type === 'modal.closed') await answerEvent(event, { canChainModals: true });
  else if (event.interaction_id)
    await call(
      'POST',
      `/bot/interactions/${event.interaction_id}/respond`,
      await answerEvent(event, { canChainModals: true }),
    );
}

/** Here everything is answered by message, the usage too. */
function obey(event) {
  if (event.command === 'plan') return beginPlan(event);
  return answerByTrigger(event.trigger_id, answerCommand(event.text));
}

/** A file that is half written when the power fails would be no cursor. */
async function keep(cursorFile, cursor) {
  await writeFile(`${cursorFile}.new`, cursor);
  await rename(`${cursorFile}.new`, cursorFile);
}
