import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { idFloor } from './poll-ids.js';
import { NOTE_POLL_POSITION } from './poll-queue.statements.js';

const REMEMBERED = 10_000;

/**
 * Stores how far bots have polled. Sockets send nothing up to that position. A cursor is written
 * once.
 */
@Injectable()
export class PollPositions {
  private readonly noted = new Map<string, bigint>();

  constructor(private readonly db: Db) {}

  async note({ spaceId, botId }: { spaceId: string; botId: string }, cursor: string): Promise<void> {
    const polledTo = BigInt(cursor === '' ? '0' : cursor);
    if (polledTo <= (this.noted.get(botId) ?? 0n)) return;
    await this.db.query(NOTE_POLL_POSITION, [spaceId, botId, String(polledTo)]);
    // For a cursor in the future, only the past part is written.
    if (polledTo <= BigInt(idFloor(new Date()))) this.remember(botId, polledTo);
  }

  private remember(botId: string, polledTo: bigint): void {
    this.noted.delete(botId);
    this.noted.set(botId, polledTo);
    const [oldest] = this.noted.keys();
    if (this.noted.size > REMEMBERED && oldest !== undefined) this.noted.delete(oldest);
  }
}
