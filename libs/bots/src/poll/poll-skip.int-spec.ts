import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually } from '@tieline/testing';
import { EventsHarness } from '../testing/events-harness.js';

/** Longer when run manually: `SKIP_TEST_SECONDS=60 npx nx test bots`. */
const SECONDS = Number(process.env['SKIP_TEST_SECONDS'] ?? 5);
const WRITERS = 12;

let harness: EventsHarness;
beforeAll(async () => {
  harness = await EventsHarness.start({ RATE_POLL_PER_SECOND: '100000', DATABASE_POOL_MAX: '24' });
});
afterAll(() => harness?.close());

test(
  `12 writers with slow transactions, a reader that pages all the time for ${SECONDS} s: nothing is skipped, nothing comes twice`,
  async () => {
    const bot = await harness.bot();
    const channels = await Promise.all(Array.from({ length: WRITERS }, () => harness.channel()));
    const committed: string[] = [];
    let writing = true;
    const write = async (channel: string, n: number): Promise<void> => {
      for (let k = 0; writing; k++) {
        await runInWorkerTx(harness.api.db, async (tx) => {
          await harness.api.app.get(CreateMessage).in(tx, {
            spaceId: harness.space.spaceId,
            conversationId: channel,
            author: { id: harness.owner.id, type: 'user' },
            text: `${n}/${k}`,
          });
          // The event has its position in the outbox and is not visible yet.
          await tx.query('SELECT pg_sleep($1)', [((n * 7 + k * 13) % 40) / 1000]);
        });
        committed.push(`${n}/${k}`);
      }
    };
    const read: string[] = [];
    let cursor = '';
    const page = async (): Promise<number> => {
      const { body } = await harness.poll(bot, `?limit=17&cursor=${cursor}`);
      for (const { payload_json: payload } of body.events)
        read.push((JSON.parse(payload) as { text: string }).text);
      cursor = body.next_cursor || cursor;
      return body.events.length as number;
    };
    const reading = (async () => {
      while (writing) await page();
    })();
    const writers = channels.map((channel, n) => write(channel, n));
    await sleep(SECONDS * 1000);
    await eventually(() => committed.length > SECONDS * WRITERS, { timeoutMs: 120_000 });
    writing = false;
    await Promise.all([...writers, reading]);
    await harness.planned();
    while ((await page()) > 0);

    expect(read).toHaveLength(committed.length);
    expect(new Set(read)).toEqual(new Set(committed));
    // The records of each conversation are in commit order.
    for (let n = 0; n < WRITERS; n++) {
      const own = read.filter((text) => text.startsWith(`${n}/`));
      expect(own).toEqual(own.map((_text, k) => `${n}/${k}`));
    }
  },
  (SECONDS + 300) * 1000,
);
