import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Part of the application that is served on a port of its own, and nowhere else. */
export interface PrivatePart {
  readonly port: number;
  /** Such as `/metrics`: that path and what lies below. */
  readonly path: string;
}

/** Whether a request for this path, which arrived at `port`, is one for another port. */
export function isMisplaced(parts: readonly PrivatePart[], path: string, port: number | undefined): boolean {
  const part = parts.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  return part ? part.port !== port : parts.some((one) => one.port === port);
}

/** Listens on the ports of the parts as well; they are closed with the application. @returns when all of them listen */
export async function listenPrivately(
  fastify: FastifyInstance,
  parts: readonly PrivatePart[],
  host: string,
): Promise<void> {
  const { requestTimeout, headersTimeout, maxConnections } = fastify.server as Server;
  for (const port of new Set(parts.map((part) => part.port))) {
    const server = createServer({ requestTimeout, headersTimeout }, (request, response) =>
      fastify.routing(request, response),
    );
    server.maxConnections = maxConnections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    fastify.server.once('close', () => {
      server.close();
      server.closeAllConnections();
    });
  }
}
