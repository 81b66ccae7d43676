import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import type { InboxOwner } from './dm-inbox.queries.js';
import { WRITE_DM_POSITIONS } from './dm-inbox.statements.js';

const BATCH = 1000;
const RETRY_MS = 500;

interface Reached extends InboxOwner {
  position: number;
}

/**
 * Stores how far bots have read in their inboxes. `reached` only takes a note; one statement at a
 * time writes all notes, immediately when none is running, so that a bot that reconnects to another
 * process continues where it was.
 */
export class DmPositions {
  /** Positions that are not yet written, by bot. */
  private readonly noted = new Map<string, Reached>();
  private readonly writing: Loop;

  constructor(
    private readonly db: Db,
    private readonly failed: () => void,
  ) {
    this.writing = new Loop(() => this.writeAll(), { retryMs: RETRY_MS, failed });
  }

  /** Everything up to this position has gone to the bot's socket. Returns at once. */
  reached({ spaceId, botId }: InboxOwner, position: number): void {
    const known = this.noted.get(botId);
    if (known !== undefined && known.position >= position) return;
    this.noted.set(botId, { spaceId, botId, position });
    this.writing.wake();
  }

  /** The bot's position that this process has yet to write; 0 when there is none. */
  noteOf(botId: string): number {
    return this.noted.get(botId)?.position ?? 0;
  }

  /** Writes what is left. Should that fail, those messages are sent again. */
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
