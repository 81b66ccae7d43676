import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeConfig } from './route-config.js';

/** A part of the application that can have a separate listener. */
export type PrivatePart = 'metrics' | 'operator';
/** The port of each part with a separate listener; 0 or absent: the public listener serves it. */
export type PrivatePorts = Readonly<Partial<Record<PrivatePart, number>>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The part that this route belongs to. */
    part?: PrivatePart;
  }
  interface FastifyInstance {
    listeners: Listeners;
  }
}

/**
 * Routes of a part that can have a separate listener. If it has one, the public listener returns
 * 404 for them.
 */
export const PrivateRoutes = (part: PrivatePart): ClassDecorator & MethodDecorator => routeConfig({ part });

/**
 * The listeners of a process. Which routes a request can reach depends on the listener that
 * accepted its connection and on the route's declaration, never on the text of its address.
 */
export class Listeners {
  private readonly apart: ReadonlyMap<PrivatePart, number>;
  /** Parts that the listener of a connection serves; absent for the public one. */
  private readonly partsOf = new WeakMap<Socket, readonly PrivatePart[]>();

  constructor(ports: PrivatePorts = {}) {
    const given = Object.entries(ports) as [PrivatePart, number][];
    this.apart = new Map(given.filter(([, port]) => port > 0));
  }

  /**
   * Returns whether the listener of this request serves the routes of `part`; undefined for routes
   * of no part.
   */
  serves({ raw }: FastifyRequest, part: PrivatePart | undefined): boolean {
    const parts = this.partsOf.get(raw.socket);
    if (parts) return part !== undefined && parts.includes(part);
    return part === undefined || !this.apart.has(part);
  }

  /**
   * Name of the listener of this request, for the log: `public`, `metrics`, `operator`, or
   * `metrics+operator` on a shared port.
   */
  nameOf({ raw }: FastifyRequest): string {
    return this.partsOf.get(raw.socket)?.join('+') ?? 'public';
  }

  /**
   * Opens the listeners of the parts. They close with the application.
   * @param create creates a server that passes its requests to the application
   * @returns when all of them listen
   */
  async listen(fastify: FastifyInstance, host: string, create: () => Server): Promise<void> {
    for (const port of new Set(this.apart.values())) {
      const parts = [...this.apart.keys()].filter((part) => this.apart.get(part) === port);
      const server = create();
      server.on('connection', (socket: Socket) => this.partsOf.set(socket, parts));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, host, resolve);
      });
      fastify.server.once('close', () => {
        server.close();
        server.closeAllConnections();
      });
    }
  }
}
