import { pino } from 'pino';
import { Placeholders } from './placeholder.js';
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
