import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../profiles/session.js';

const EVERY_MS = 500;

/** Polls and shows new entries until Ctrl-C or the limit. */
export async function follow(
  session: Session,
  limit: string | undefined,
  look: () => Promise<{ line: string; entry: object }[]>,
): Promise<void> {
  const { signal } = session.terminal;
  let left = Number(limit ?? Infinity);
  session.printer.note('listening');
  while (!signal.aborted) {
    for (const { line, entry } of await look()) {
      session.printer.event(entry, line);
      if (--left <= 0) return;
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
