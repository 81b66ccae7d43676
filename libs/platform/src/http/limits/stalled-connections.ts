import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The numbers behind Node's own idle timer: bytes that were given to the system, and those that it
 * has not taken yet.
 */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

interface Progress {
  taken: number;
  /** Checks since it last took anything. */
  looks: number;
}

const LOOKS = 6;

/**
 * Destroys connections whose peer takes no pending data for `limitMs`: an answer that is not read
 * keeps its memory no longer. Slow readers and clients that wait for an answer are left alone.
 */
export function cutStalledConnections(server: Server, limitMs: number): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    // A connection that offered an upgrade is announced twice.
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
 * Counts checks instead of time: while this process was frozen, no peer could read, and late checks
 * come as one.
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
