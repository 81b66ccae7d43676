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
  private writing: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Db,
    private readonly failed: () => void,
  ) {}

  /** Everything up to this position was handed to a socket of the bot's. Returns at once. */
  reached({ spaceId, botId }: InboxOwner, position: number): void {
    const known = this.noted.get(botId);
    if (known !== undefined && known.position >= position) return;
    this.noted.set(botId, { spaceId, botId, position });
    if (this.retry === undefined) this.write();
  }

  /** How far the bot has got by what this process has not written yet; 0 when there is nothing. */
  noteOf(botId: string): number {
    return this.noted.get(botId)?.position ?? 0;
  }

  /** Writes what is left; should that fail, those messages come again. */
  async close(): Promise<void> {
    clearTimeout(this.retry);
    await this.writing;
    clearTimeout(this.retry);
    try {
      while (this.noted.size > 0) await this.writeBatch();
    } catch {
      this.failed();
    }
  }

  private write(): void {
    // Begins in a microtask: what one turn hands over is written together.
    this.writing ??= Promise.resolve()
      .then(() => this.writeAll())
      .finally(() => {
        this.writing = undefined;
      });
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.noted.size > 0) await this.writeBatch();
    } catch {
      this.failed();
      this.retry = setTimeout(() => {
        this.retry = undefined;
        this.write();
      }, RETRY_MS).unref();
    }
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
