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
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor) configure(descriptor.value as object, config, false);
    else
      for (const handler of handlersOf((target as { prototype: object }).prototype))
        configure(handler, config, isDefault);
  };
}

function configure(handler: object, config: FastifyContextConfig, isDefault: boolean): void {
  const { KEY } = RouteConfig({});
  const known = Reflect.getMetadata(KEY, handler) as object | undefined;
  Reflect.defineMetadata(KEY, isDefault ? { ...config, ...known } : { ...known, ...config }, handler);
}

function handlersOf(prototype: object): object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter((value) => typeof value === 'function' && value !== prototype.constructor) as object[];
}
