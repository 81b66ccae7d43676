import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * What Node's own idle timer looks at: bytes that were given to the system, and those of them that
 * it has not taken yet.
 */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

interface Progress {
  taken: number;
  /** Looks since it took anything. */
  looks: number;
}

const LOOKS = 6;

/**
 * Destroys connections whose peer takes nothing of what waits for it for `limitMs`: an answer that
 * nobody reads holds its memory no longer than that. Slow readers are left alone, and so is who
 * waits for an answer.
 */
export function cutStalledConnections(server: Server, limitMs: number): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    // One that offered an upgrade comes again.
    if (connections.has(socket)) return;
    connections.set(socket, { taken: 0, looks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) if (hasStalled(socket, progress)) socket.destroy();
  }, limitMs / LOOKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Looks are counted and not time: while this process stood still nobody could take anything, and
 * what is late comes as one look.
 */
function hasStalled(socket: Socket, progress: Progress): boolean {
  const { _handle: handle } = socket as unknown as { _handle?: Handle | null };
  if (!handle) return false;
  const taken = handle.bytesWritten - handle.writeQueueSize;
  const hasTaken = handle.writeQueueSize === 0 || taken !== progress.taken;
  progress.looks = hasTaken ? 0 : progress.looks + 1;
  progress.taken = taken;
  return progress.looks >= LOOKS;
}
