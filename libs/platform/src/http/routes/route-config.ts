import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/**
 * Extends the router's configuration of a route, or of every route of a class, and keeps what other
 * decorators have set.
 * @param options.isDefault on a class: routes with their own value keep it
 */
export function routeConfig(
  config: FastifyContextConfig,
  { isDefault = false } = {},
): ClassDecorator & MethodDecorator {
  return forEachHandler((handler, isOfClass) => {
    const known = configOf(handler);
    const merged = isOfClass && isDefault ? { ...config, ...known } : { ...known, ...config };
    Reflect.defineMetadata(KEY, merged, handler);
  });
}

const { KEY } = RouteConfig({});

/** Returns the configuration that decorators have given a handler so far. */
export function configOf(handler: object): FastifyContextConfig {
  return (Reflect.getMetadata(KEY, handler) ?? {}) as FastifyContextConfig;
}

/** A decorator that handles the handler of a route, or those of all routes of a class. */
export function forEachHandler(
  decorate: (handler: object, isOfClass: boolean) => void,
): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor) decorate(descriptor.value as object, false);
    else
      for (const handler of handlersOf((target as { prototype: object }).prototype)) decorate(handler, true);
  };
}

function handlersOf(prototype: object): object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter((value) => typeof value === 'function' && value !== prototype.constructor) as object[];
}
