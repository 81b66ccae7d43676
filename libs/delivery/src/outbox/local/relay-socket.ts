import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import path from 'node:path';

/** Longest path of a Unix socket that every system accepts, in bytes. */
const MAX_PATH_BYTES = 100;

/** Sent for a wake-up, and back when the relay has it. */
export const WAKE_UP = '\n';

/**
 * Returns the path of the socket in DATA_DIR, or undefined where there can be none. Then wake-ups
 * use the bus.
 */
export function relaySocketPath(dataDir: string): string | undefined {
  const file = path.resolve(dataDir, 'relay.sock');
  return process.platform === 'win32' || Buffer.byteLength(file) > MAX_PATH_BYTES ? undefined : file;
}

/** The relay as the socket sees it. */
export interface WakeableRelay {
  readonly leading: boolean;
  wake(): void;
}

/**
 * Receives wake-ups of other processes of this machine while the relay of this process leads. A
 * relay that no longer leads disconnects its callers, who then use the bus.
 */
export class RelaySocket {
  private server: Server | undefined;
  private readonly callers = new Set<Socket>();
  private closed = false;

  constructor(
    private readonly path: string | undefined,
    private readonly relay: WakeableRelay,
  ) {}

  /**
   * Listens in place of an earlier leader of this machine. Does nothing where this is impossible,
   * because the bus carries wake-ups too.
   */
  async open(): Promise<void> {
    const { path: file } = this;
    if (file === undefined || this.closed) return;
    this.server?.close();
    const server = createServer((caller) => this.accept(caller));
    this.server = server;
    server.on('error', () => undefined);
    await rm(file, { force: true }).catch(() => undefined);
    if (this.closed || this.server !== server) return;
    server.listen(file, () => void chmod(file, 0o600).catch(() => undefined));
  }

  /** Disconnects all callers. */
  close(): void {
    this.closed = true;
    this.server?.close();
    for (const caller of this.callers) caller.destroy();
  }

  private accept(caller: Socket): void {
    this.callers.add(caller);
    caller.unref();
    caller.on('error', () => undefined);
    caller.on('close', () => this.callers.delete(caller));
    caller.on('data', () => {
      if (!this.relay.leading) return void caller.destroy();
      this.relay.wake();
      caller.write(WAKE_UP);
    });
  }
}
