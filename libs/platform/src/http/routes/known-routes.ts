import type { IncomingMessage } from 'node:http';
import FindMyWay from 'find-my-way';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteErrors } from '../error-shape.js';

/** Options of Fastify's router and ours. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 512 };

/** A path of the application with all of its methods. */
export interface KnownRoute {
  /** The declared path, such as `/api/v1/bot/messages/:message_id`. */
  readonly pattern: string;
  /** The configuration of the route of each method. */
  readonly methods: ReadonlyMap<string, FastifyContextConfig>;
}

interface Route extends KnownRoute {
  readonly methods: Map<string, FastifyContextConfig>;
}

declare module 'fastify' {
  interface FastifyInstance {
    knownRoutes: KnownRoutes;
  }
}

/**
 * All routes of the application. Addresses are matched by the same router that Fastify uses, so
 * every spelling of an address (percent-encoded, absolute, with a fragment) leads to the same route
 * in both. No other code reads `request.url`.
 */
export class KnownRoutes {
  private readonly byShape = new Map<string, Route>();
  private readonly router = FindMyWay(ROUTER_OPTIONS);
  private readonly errorZones = FindMyWay(ROUTER_OPTIONS);
  private readonly zones = new Set<string>();
  private contested: ReadonlySet<string> | undefined;

  /** Records every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.decorate('knownRoutes', this as KnownRoutes);
    fastify.addHook('onRoute', ({ url, method, config }) => {
      for (const name of Array.isArray(method) ? method : [method]) this.add(url, name, config ?? {});
    });
  }

  /** Returns every path of the application. */
  all(): Iterable<KnownRoute> {
    return this.byShape.values();
  }

  /**
   * Returns the most specific path that matches this address, regardless of the method; undefined
   * when it is unknown or can't be decoded.
   */
  at({ url }: Pick<IncomingMessage, 'url'>): KnownRoute | undefined {
    return this.find(this.router, url ?? '/');
  }

  /** Returns the query of an address, for handshakes, which no route sees. */
  queryOf({ url }: Pick<IncomingMessage, 'url'>): URLSearchParams {
    const [, query] = (url ?? '').split(/[?#]/);
    return new URLSearchParams(query);
  }

  /**
   * Returns the error options of this address: those of the route with the longest matching fixed
   * part.
   */
  errorsAt({ url }: Pick<IncomingMessage, 'url'>): RouteErrors | undefined {
    // In an address that cannot be decoded only the last parts are unreadable.
    const path = (url ?? '/').replace(/%(?![0-9a-f]{2})/gi, '_');
    return (
      this.find<RouteErrors>(this.errorZones, path) ??
      this.find<RouteErrors>(this.errorZones, path.replaceAll('%', '_'))
    );
  }

  /**
   * Returns whether the router chose a route with a parameter although the address is another path
   * that lacks this method: `DELETE /messages/pinned` does not delete the message "pinned".
   */
  isOfAnotherPath(request: FastifyRequest): boolean {
    const { url: pattern } = request.routeOptions;
    if (pattern === undefined) return false;
    this.contested ??= this.findContested();
    return this.contested.has(pattern) && !this.at(request.raw)?.methods.has(request.method);
  }

  /** Returns the patterns that match other paths too. */
  private findContested(): Set<string> {
    const paths = [...this.byShape.values()].map(({ pattern }) => ({
      pattern,
      example: pattern.replace(/:[A-Za-z_]+/g, 'x').replace(/\*$/, 'x'),
    }));
    const parametrized = paths.filter(({ pattern }) => /[:*]/.test(pattern));
    const contested = parametrized.filter(({ pattern }) => {
      const expression = toExpression(pattern);
      return paths.some((other) => other.pattern !== pattern && expression.test(other.example));
    });
    return new Set(contested.map(({ pattern }) => pattern));
  }

  private find<T>(router: FindMyWay.Instance<FindMyWay.HTTPVersion.V1>, url: string): T | undefined {
    return (router.find('GET', url)?.store as T | null | undefined) ?? undefined;
  }

  private add(url: string, method: string, config: FastifyContextConfig): void {
    if (method === 'OPTIONS' && url === '*') return;
    const pattern = url.replace(/\/+$/, '') || '/';
    // Two methods may name one parameter differently.
    const shape = pattern.replace(/:[A-Za-z_]+/g, ':p');
    let route = this.byShape.get(shape);
    if (!route) {
      route = { pattern, methods: new Map() };
      this.byShape.set(shape, route);
      this.router.on('GET', shape, () => undefined, route);
    }
    route.methods.set(method, config);
    this.contested = undefined;
    if (config.errors) this.addZone(pattern.replace(/\/?[:*].*$/, ''), config.errors);
  }

  private addZone(fixed: string, errors: RouteErrors): void {
    if (this.zones.has(fixed)) return;
    this.zones.add(fixed);
    if (fixed !== '') this.errorZones.on('GET', fixed, () => undefined, errors);
    this.errorZones.on('GET', `${fixed}/*`, () => undefined, errors);
  }
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z_]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${escaped}$`);
}
