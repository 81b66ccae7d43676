import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import type { InboxOwner } from './dm-inbox.queries.js';
import { WRITE_DM_POSITIONS } from './dm-inbox.statements.js';

const BATCH = 1000;
const RETRY_MS = 500;

interface ReachedPosition extends InboxOwner {
  position: number;
}

/**
 * Stores how far bots have read in their inboxes. `reached` only queues a position. One statement
 * at a time writes all queued positions, immediately if none is running, so that a bot that
 * reconnects to another process resumes at its position.
 */
export class DmPositions {
  /** Positions that are not yet written, by bot. */
  private readonly pending = new Map<string, ReachedPosition>();
  private readonly writing: Loop;

  constructor(
    private readonly db: Db,
    private readonly failed: () => void,
  ) {
    this.writing = new Loop(() => this.writeAll(), { retryMs: RETRY_MS, failed });
  }

  /**
   * Records that everything up to this position was sent to the bot's connection. Returns
   * immediately.
   */
  reached({ spaceId, botId }: InboxOwner, position: number): void {
    const known = this.pending.get(botId);
    if (known !== undefined && known.position >= position) return;
    this.pending.set(botId, { spaceId, botId, position });
    this.writing.wake();
  }

  /** Returns the bot's position that this process has yet to write, or 0. */
  pendingOf(botId: string): number {
    return this.pending.get(botId)?.position ?? 0;
  }

  /** Writes the remaining positions. If that fails, those messages are sent again. */
  async close(): Promise<void> {
    await this.writing.stop();
    try {
      await this.writeAll();
    } catch {
      this.failed();
    }
  }

  private async writeAll(): Promise<void> {
    while (this.pending.size > 0) await this.writeBatch();
  }

  private async writeBatch(): Promise<void> {
    const batch = [...this.pending.values()].slice(0, BATCH);
    await this.db.query(WRITE_DM_POSITIONS, [
      batch.map((r) => r.spaceId),
      batch.map((r) => r.botId),
      batch.map((r) => r.position),
    ]);
    for (const reached of batch)
      if (this.pending.get(reached.botId) === reached) this.pending.delete(reached.botId);
  }
}
