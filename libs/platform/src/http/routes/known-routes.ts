import type { FastifyInstance } from 'fastify';
import type { RouteErrors } from '../error-shape.js';

interface KnownRoute {
  readonly pattern: RegExp;
  /** The path up to its first parameter or wildcard, without `/` at its end. */
  readonly fixed: string;
  readonly methods: Set<string>;
  readonly errors: RouteErrors | undefined;
}

/** The routes of the application, for what has to be answered where none of them serves the request. */
export class KnownRoutes {
  private readonly routes = new Map<string, KnownRoute>();

  /** Watches every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method, config }) => {
      for (const name of Array.isArray(method) ? method : [method]) this.add(url, name, config?.errors);
    });
  }

  /** The methods that this path knows, sorted, or undefined when it is unknown: 405 with `Allow`, or 404. */
  allowed(path: string): string[] | undefined {
    const methods = new Set<string>();
    for (const route of this.routes.values())
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    return methods.size > 0 ? [...methods].sort() : undefined;
  }

  /** How errors look on this path: as on the route with the longest fixed part that it lies below. */
  errorsAt(path: string): RouteErrors | undefined {
    const above = [...this.routes.values()].filter(
      ({ errors, fixed }) => errors && (path === fixed || path.startsWith(`${fixed}/`)),
    );
    return above.sort((one, other) => other.fixed.length - one.fixed.length)[0]?.errors;
  }

  private add(url: string, method: string, errors: RouteErrors | undefined): void {
    if (method === 'OPTIONS' && url === '*') return;
    const key = url.replace(/\/+$/, '');
    const route = this.routes.get(key) ?? {
      pattern: toPattern(key),
      fixed: key.replace(/\/?[:*].*$/, ''),
      methods: new Set<string>(),
      errors,
    };
    route.methods.add(method);
    this.routes.set(key, route);
  }
}

function toPattern(url: string): RegExp {
  const escaped = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z_]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${escaped}/?$`);
}
