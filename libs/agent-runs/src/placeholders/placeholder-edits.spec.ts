import { eventually } from '@tieline/testing';
import { pino } from 'pino';
import { NotEditable, Placeholders } from './placeholder.js';
import type { PlaceholderRef } from './placeholder.js';
import { PlaceholderEdits } from './placeholder-edits.js';

/** More than the timers of which Node.js fires one early. */
const EDITS = 300;
const IN_MS = 3;
const run = {
  spaceId: 'space',
  id: 'run',
  messageId: 'message',
  conversationId: 'channel',
  parentMessageId: null,
};

test('no edit is made before it is due, although Node.js fires some timers early', async () => {
  let made: (at: number) => void = () => undefined;
  class TimedPlaceholders extends Placeholders {
    override async editIfDue(): Promise<Map<string, number>> {
      made(performance.now());
      return new Map();
    }
  }
  const placeholders = Reflect.construct(TimedPlaceholders, []);
  const edits = new PlaceholderEdits(placeholders, pino({ level: 'silent' }));
  for (let n = 0; n < EDITS; n += 1) {
    const due = performance.now() + IN_MS;
    const at = new Promise<number>((resolve) => (made = resolve));
    edits.schedule(run, IN_MS);
    expect(await at).toBeGreaterThanOrEqual(due);
  }
});

test.each([
  ['a placeholder that is not editable: each is edited alone', new NotEditable('unknown_message'), true],
  ['the database: a worker makes the edits, and no turn is held longer', new Error('timeout'), false],
])('edits of a conversation that fail because of %s', async (_, error, eachAlone) => {
  const made: string[] = [];
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  class FailingPlaceholders extends Placeholders {
    override async editIfDue(placeholders: readonly PlaceholderRef[]): Promise<Map<string, number>> {
      const ids = placeholders.map(({ id }) => id).join(' ');
      made.push(ids);
      if (ids === 'elsewhere') release();
      await isReleased;
      if (placeholders.length > 1) throw error;
      return new Map();
    }
  }
  const placeholders = Reflect.construct(FailingPlaceholders, []);
  const edits = new PlaceholderEdits(placeholders, pino({ level: 'silent' }));
  const first = edits.editOrSchedule({ ...run, id: 'one' }, 0);
  for (const id of ['two', 'three']) await edits.editOrSchedule({ ...run, id }, 0);
  // Its timer fires after theirs, and then all of theirs wait for the first edit.
  edits.schedule({ ...run, id: 'elsewhere', conversationId: 'other' }, 0);
  await first;
  await eventually(() => made.includes('two three'));
  await edits.beforeApplicationShutdown();
  expect(made).toEqual(['one', 'elsewhere', 'two three', ...(eachAlone ? ['two', 'three'] : [])]);
});
