import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiResponse } from '@nestjs/swagger';

/** How the body of an error looks: with `ok`, as its text alone, or the same whatever went wrong. */
export type ErrorShapeName = 'standard' | 'plain' | 'generic';

/** What {@link ErrorShape} says of a route. */
export interface RouteErrors {
  readonly shape: ErrorShapeName;
  /** The status where the path cannot be decoded; 400 unless said otherwise. */
  readonly undecodable?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errors?: RouteErrors;
  }
}

const BODIES: Readonly<Record<ErrorShapeName, (text: string) => Record<string, unknown>>> = {
  standard: (error) => ({ ok: false, error }),
  plain: (error) => ({ error }),
  generic: () => ({ ok: false, error: 'request rejected' }),
};

/** The body of an error with this text. */
export const errorBody = (shape: ErrorShapeName, text: string): Record<string, unknown> =>
  BODIES[shape](text);

/** Describes one error answer of a route in the OpenAPI document, with its body for this text as the example. */
export function documentError(
  shape: ErrorShapeName,
  status: number,
  { description, text }: { description: string; text: string },
): MethodDecorator & ClassDecorator {
  const example = errorBody(shape, text);
  const properties = {
    ...('ok' in example ? { ok: { type: 'boolean', enum: [false] } } : {}),
    error: { type: 'string' },
  };
  return ApiResponse({
    status,
    description,
    schema: { type: 'object', required: Object.keys(properties), properties, example },
  });
}

/**
 * The shape of every error of these routes, whoever refuses: the handler, a guard, the reader of the body, or the router
 * (404 and 405) anywhere below the fixed part of a route's path.
 */
export function ErrorShape(
  shape: ErrorShapeName,
  options: Omit<RouteErrors, 'shape'> = {},
): ClassDecorator & MethodDecorator {
  const errors: RouteErrors = { shape, ...options };
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor) configure(descriptor.value as object, errors);
    else
      for (const handler of handlersOf((target as { prototype: object }).prototype))
        configure(handler, errors);
  };
}

/** Adds to what other decorators put on the route. */
function configure(handler: object, errors: RouteErrors): void {
  const { KEY } = RouteConfig({});
  const known = Reflect.getMetadata(KEY, handler) as object | undefined;
  Reflect.defineMetadata(KEY, { ...known, errors }, handler);
}

function handlersOf(prototype: object): object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter((value) => typeof value === 'function' && value !== prototype.constructor) as object[];
}
