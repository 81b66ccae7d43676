import type { Type } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Field } from './answers.js';
import { routeConfig } from './routes/route-config.js';

/** The body of an error: with `ok`, only its text, or the same for every error. */
export type ErrorShapeName = 'standard' | 'plain' | 'generic';

/** Error options of a route, set by {@link ErrorShape}. */
export interface RouteErrors {
  readonly shape: ErrorShapeName;
  /** The status for a path that cannot be decoded; 400 by default. */
  readonly undecodable?: number;
  /** The text of a 500; `internal error` by default. */
  readonly internal?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errors?: RouteErrors;
  }
}

/** The default body of an error. */
class StandardError {
  @Field({ example: false })
  ok: false;

  @Field({ example: 'invalid JSON', description: 'what is wrong, in the words of the contract' })
  error: string;

  @Field({ example: 'invalid_json', description: 'the same for programs; it never changes' })
  code: string;

  @Field({
    example: 'conversation_id',
    description:
      'the field of the request that is at fault, where it is one: a path such as `attachments[0].file_id`',
    optional: true,
  })
  field?: string;

  @Field({
    ofTexts: true,
    example: { reason: 'Required.' },
    description: 'of a form: what is wrong with each field, in words for the person, by its id',
    optional: true,
  })
  errors?: Readonly<Record<string, string>>;
}

/** The body of an error that consists of its text. */
class PlainError {
  @Field({ example: 'file not found', description: 'what is wrong, in the words of the contract' })
  error: string;
}

/** The body of every error of a route that hides details from strangers. */
class GenericError {
  @Field({ example: false })
  ok: false;

  @Field({ enum: ['request rejected'] })
  error: 'request rejected';
}

/** The parts of an error that a body may show. */
interface Shown {
  text: string;
  code: string;
  field?: string | undefined;
  /** Problems of the parts. */
  parts?: Readonly<Record<string, string>> | undefined;
}

interface Shape {
  readonly type: Type;
  body(error: Shown): StandardError | PlainError;
}

const SHAPES: Readonly<Record<ErrorShapeName, Shape>> = {
  standard: {
    type: StandardError,
    body: ({ text, code, field, parts }) => ({
      ok: false,
      error: text,
      code,
      ...(field !== undefined && { field }),
      ...(parts && { errors: parts }),
    }),
  },
  plain: { type: PlainError, body: ({ text }) => ({ error: text }) },
  generic: { type: GenericError, body: () => ({ ok: false, error: 'request rejected' }) },
};

/** Returns the body of an error in this shape. */
export const errorBody = (shape: ErrorShapeName, error: Shown): StandardError | PlainError =>
  SHAPES[shape].body(error);

/**
 * Documents one error answer of a route, with its body for this text as the example; `code` if the
 * shape shows one.
 */
export function documentError(
  shape: ErrorShapeName,
  status: number,
  { description, text, code = '' }: { description: string; text: string; code?: string },
): MethodDecorator & ClassDecorator {
  const { type, body } = SHAPES[shape];
  return ApiResponse({ status, description, type, example: body({ text, code }) });
}

/**
 * Sets the shape of every error of these routes, from the handler, a guard, the body reader, or the
 * router (404 and 405) below the fixed part of a route's path.
 */
export function ErrorShape(
  shape: ErrorShapeName,
  options: Omit<RouteErrors, 'shape'> = {},
): ClassDecorator & MethodDecorator {
  return routeConfig({ errors: { shape, ...options } });
}
