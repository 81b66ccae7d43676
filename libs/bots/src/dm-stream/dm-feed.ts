import { sseFrame } from '@tieline/live';
import type { SseStream } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { DmInbox, InboxPlace } from './dm-inbox.queries.js';
import { PAGE } from './dm-inbox.statements.js';
import { dmMessageView } from './dm-message.view.js';
import type { DmPositions } from './dm-positions.js';

const RETRY_MS = 500;

/** Options of a feed. */
export interface DmFeedOptions {
  /** How long a reader may take for one message, in milliseconds. */
  patienceMs: number;
  /** Called when the inbox could not be read. The read is retried. */
  failed: () => void;
}

/**
 * Feeds one stream from its bot's inbox. Waiting and live messages are read in the same way, from a
 * position onwards, so that no message is lost or repeated between the two. A message is written
 * only after the network has accepted the previous one. A slow reader therefore costs one page of
 * memory; a reader that accepts nothing for too long is disconnected. The remaining messages wait
 * for its next stream.
 */
export class DmFeed {
  private readonly reading: Loop;
  private stopWaiting: (() => void) | undefined;

  /** @param place where the messages that have yet to be sent begin */
  constructor(
    private place: InboxPlace,
    private readonly stream: SseStream,
    private readonly inbox: DmInbox,
    private readonly positions: DmPositions,
    private readonly options: DmFeedOptions,
  ) {
    this.reading = new Loop(() => this.catchUp(), { retryMs: RETRY_MS, failed: options.failed });
    stream.onClose(() => {
      this.stopWaiting?.();
      void this.reading.stop();
    });
  }

  /** Schedules a read of the inbox. Returns immediately; never throws. */
  wake(): void {
    this.reading.wake();
  }

  private get isOpen(): boolean {
    return this.stream.closed === undefined;
  }

  private async catchUp(): Promise<void> {
    for (let more = true; more && this.isOpen;) {
      const entries = await this.inbox.next(this.place);
      more = entries.length === PAGE;
      for (const { position, message } of entries) {
        const reached = (): void => this.positions.reached(this.place, position);
        if (!message) reached();
        else if (!(await this.handOver(sseFrame(dmMessageView(message), position), reached))) return;
        this.place = { ...this.place, after: position };
      }
    }
  }

  /**
   * Resolves to true when the network has accepted the frame, or to false when the stream has
   * ended.
   */
  private handOver(frame: Buffer, reached: () => void): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(false);
      const end = (taken: boolean): void => {
        clearTimeout(tooLong);
        this.stopWaiting = undefined;
        resolve(taken);
      };
      const tooLong = setTimeout(() => this.stream.close('slow'), this.options.patienceMs).unref();
      this.stopWaiting = () => end(false);
      // Also called after the stream has ended, because the client may still read what was sent.
      const taken = (): void => {
        reached();
        end(true);
      };
      if (!this.stream.send(frame, taken)) end(false);
    });
  }
}
