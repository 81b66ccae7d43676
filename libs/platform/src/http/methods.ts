import type { FastifyInstance } from 'fastify';

/** Which methods each path knows, so that a known path with a wrong method is 405 with `Allow`, not 404. */
export class KnownMethods {
  private readonly routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Watches every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      for (const name of Array.isArray(method) ? method : [method]) this.add(url, name);
    });
  }

  /** The methods of the first path that matches, sorted, or undefined when no path does. */
  allowed(path: string): string[] | undefined {
    const methods = new Set<string>();
    for (const route of this.routes.values())
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    return methods.size > 0 ? [...methods].sort() : undefined;
  }

  private add(url: string, method: string): void {
    if (method === 'OPTIONS' && url === '*') return;
    const key = url.replace(/\/+$/, '');
    const route = this.routes.get(key) ?? { pattern: toPattern(key), methods: new Set<string>() };
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
