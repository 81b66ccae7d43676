import { Loop } from '@tieline/platform/background';
import type { Db } from '@tieline/platform/database';
import type { InboxOwner } from './dm-inbox.queries.js';
import { WRITE_DM_POSITIONS } from './dm-inbox.statements.js';

const BATCH = 1000;
const RETRY_MS = 500;

interface Reached extends InboxOwner {
  position: number;
}

/**
 * Writes down how far bots have got in their inboxes. `reached` only notes; one statement at a time carries all that was
 * noted, at once when none is under way, so that a bot that comes back to another process finds it there.
 */
export class DmPositions {
  /** What is not known to be written, by bot. */
  private readonly noted = new Map<string, Reached>();
  private readonly writing: Loop;

  constructor(
    private readonly db: Db,
    private readonly failed: () => void,
  ) {
    this.writing = new Loop(() => this.writeAll(), { retryMs: RETRY_MS, failed });
  }

  /** Everything up to this position was handed to a socket of the bot's. Returns at once. */
  reached({ spaceId, botId }: InboxOwner, position: number): void {
    const known = this.noted.get(botId);
    if (known !== undefined && known.position >= position) return;
    this.noted.set(botId, { spaceId, botId, position });
    this.writing.wake();
  }

  /** How far the bot has got by what this process has not written yet; 0 when there is nothing. */
  noteOf(botId: string): number {
    return this.noted.get(botId)?.position ?? 0;
  }

  /** Writes what is left; should that fail, those messages come again. */
  async close(): Promise<void> {
    await this.writing.stop();
    try {
      await this.writeAll();
    } catch {
      this.failed();
    }
  }

  private async writeAll(): Promise<void> {
    while (this.noted.size > 0) await this.writeBatch();
  }

  private async writeBatch(): Promise<void> {
    const batch = [...this.noted.values()].slice(0, BATCH);
    await this.db.query(WRITE_DM_POSITIONS, [
      batch.map((r) => r.spaceId),
      batch.map((r) => r.botId),
      batch.map((r) => r.position),
    ]);
    for (const reached of batch)
      if (this.noted.get(reached.botId) === reached) this.noted.delete(reached.botId);
  }
}
