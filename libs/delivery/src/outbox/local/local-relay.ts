import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { WAKE_UP } from './relay-socket.js';

/** How long an answer may take. A frozen relay gives none. */
const ANSWER_MS = 50;
/** Pause before another attempt after a failed one. */
const PAUSE_MS = 1000;

/**
 * Wakes the leading relay if it runs on this machine, by a socket in DATA_DIR. That takes a tenth
 * of the time of the bus and costs the database nothing.
 */
export class LocalRelay {
  private socket: Socket | undefined;
  private answered: ((isAwake: boolean) => void) | undefined;
  private pausedUntil = -Infinity;

  /** @param answerMs how long an answer may take */
  constructor(
    private readonly path: string | undefined,
    private readonly answerMs = ANSWER_MS,
  ) {}

  /** Wakes the relay. One call at a time. @returns false if no leading relay has answered */
  async wake(): Promise<boolean> {
    if (this.path === undefined || performance.now() < this.pausedUntil) return false;
    const socket = (this.socket ??= this.open(this.path));
    const isAwake = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, this.answerMs, false);
      this.answered = (is) => {
        clearTimeout(timer);
        resolve(is);
      };
      socket.write(WAKE_UP);
    });
    this.answered = undefined;
    if (!isAwake) this.abandon(socket);
    return isAwake;
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(path: string): Socket {
    const socket = connect(path);
    socket.unref();
    socket.on('data', () => this.answered?.(true));
    socket.on('error', () => undefined);
    socket.on('close', () => this.abandon(socket));
    return socket;
  }

  private abandon(socket: Socket): void {
    socket.destroy();
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.answered?.(false);
  }
}
