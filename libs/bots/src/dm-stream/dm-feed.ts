import { sseFrame } from '@tieline/live';
import type { SseStream } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { DmInbox, InboxOwner } from './dm-inbox.queries.js';
import { PAGE } from './dm-inbox.statements.js';
import { dmMessageView } from './dm-message.view.js';
import type { DmPositions } from './dm-positions.js';

const RETRY_MS = 500;

/** What feeds share. */
export interface DmFeedParts {
  inbox: DmInbox;
  positions: DmPositions;
  /** How long a reader may take for one message, in milliseconds. */
  patienceMs: number;
  /** The inbox could not be read; it is tried again. */
  failed(): void;
}

/**
 * Feeds one stream from its bot's inbox. Waiting and live messages are read in the same way,
 * onwards from a position, so no message is lost or repeated between the two. A message is written
 * only when the network has taken the one before: a slow reader costs one page of memory, and one
 * that takes nothing for too long is disconnected. What it did not take waits for its next stream.
 */
export class DmFeed {
  private readonly reading: Loop;
  private stopWaiting: (() => void) | undefined;

  /** @param position what is after it is still to be sent */
  constructor(
    private readonly owner: InboxOwner,
    private position: number,
    private readonly stream: SseStream,
    private readonly parts: DmFeedParts,
  ) {
    this.reading = new Loop(() => this.catchUp(), { retryMs: RETRY_MS, failed: () => parts.failed() });
    stream.onClose(() => {
      this.stopWaiting?.();
      void this.reading.stop();
    });
  }

  /** There may be messages. Returns at once; never throws. */
  wake(): void {
    this.reading.wake();
  }

  private get isOpen(): boolean {
    return this.stream.closed === undefined;
  }

  private async catchUp(): Promise<void> {
    for (let more = true; more && this.isOpen;) {
      const entries = await this.parts.inbox.next({ ...this.owner, after: this.position });
      more = entries.length === PAGE;
      for (const { position, message } of entries) {
        const reached = (): void => this.parts.positions.reached(this.owner, position);
        if (!message) reached();
        else if (!(await this.handOver(sseFrame(dmMessageView(message), position), reached))) return;
        this.position = position;
      }
    }
  }

  /**
   * Resolves to true once the network has taken the frame, or to false when the stream has ended.
   */
  private handOver(frame: Buffer, reached: () => void): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(false);
      const end = (taken: boolean): void => {
        clearTimeout(tooLong);
        this.stopWaiting = undefined;
        resolve(taken);
      };
      const tooLong = setTimeout(() => this.stream.close('slow'), this.parts.patienceMs).unref();
      this.stopWaiting = () => end(false);
      // Also after the stream was ended: what it had been given may still be read.
      const taken = (): void => {
        reached();
        end(true);
      };
      if (!this.stream.send(frame, taken)) end(false);
    });
  }
}
