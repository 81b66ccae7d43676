import type { Type } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';
import { Field } from './answers.js';
import type { RefusedScopes } from './api-error.js';
import { routeConfig } from './routes/route-config.js';

/**
 * The body of an error: with `ok`, only its text, only its code, the same for every error,
 * JSON-RPC's, or OAuth's.
 */
export type ErrorShapeName = 'standard' | 'plain' | 'code' | 'generic' | 'rpc' | 'oauth';

/** Error options of a route, set by {@link ErrorShape}. */
export interface RouteErrors {
  readonly shape: ErrorShapeName;
  /** The status for a path that cannot be decoded; 400 by default. */
  readonly undecodable?: number;
  /** The text of a 500; `internal error` by default. */
  readonly internal?: string;
  /** The status of every error except 404, 405 and 429; by default, each error has its own. */
  readonly status?: number;
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

  @Field({ example: 'invalid JSON', description: 'the error as a text for people' })
  error: string;

  @Field({ example: 'invalid_json', description: 'the error as a code for programs; codes never change' })
  code: string;

  @Field({
    example: 'conversation_id',
    description:
      'the invalid field of the request, if it is one field: a path such as `attachments[0].file_id`',
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

  @Field({
    example: 'messages:write',
    description: 'with `insufficient_scope`: the scope that the token lacks, or `all`',
    optional: true,
  })
  required?: string;

  @Field({
    example: ['messages:read'],
    description: 'with `insufficient_scope`: the scopes of the token',
    optional: true,
  })
  granted?: readonly string[];
}

/** The body of an error that consists of its text. */
class PlainError {
  @Field({ example: 'file not found', description: 'the error as a text for people' })
  error: string;

  @Field({ enum: ['insufficient_scope'], description: 'if the token lacks a scope', optional: true })
  code?: string;

  @Field({
    example: 'files:write',
    description: 'with a `code`: the scope that the token lacks, or `all`',
    optional: true,
  })
  required?: string;

  @Field({
    example: ['messages:read'],
    description: 'with a `code`: the scopes of the token',
    optional: true,
  })
  granted?: readonly string[];
}

/** The body of an error that consists of its code. */
class CodeError {
  @Field({ example: false })
  ok: false;

  @Field({ example: 'invalid_auth', description: 'the error as a code for programs' })
  error: string;
}

/** The body of every error of a route that hides details from strangers. */
class GenericError {
  @Field({ example: false })
  ok: false;

  @Field({ enum: ['request rejected'] })
  error: 'request rejected';
}

/** The `error` of {@link RpcError}. */
class RpcErrorObject {
  @Field({ example: -32700, description: 'JSON-RPC 2.0: -32700 for a body that is no JSON object' })
  code: number;

  @Field({ example: 'invalid JSON', description: 'the error as a text for people' })
  message: string;

  @Field({
    example: { code: 'invalid_json' },
    description: '`code`: the error as a code for programs, if the HTTP request was refused',
    optional: true,
  })
  data?: Readonly<Record<string, unknown>>;
}

/** The body of an error of a JSON-RPC endpoint. */
class RpcError {
  @Field({ enum: ['2.0'] })
  jsonrpc: '2.0';

  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    description: 'of the request; null if it was not read',
    example: null,
  })
  id: string | number | null;

  @Field({ type: RpcErrorObject })
  error: RpcErrorObject;
}

/** The body of an error of an OAuth endpoint (RFC 6749, 5.2). */
class OAuthError {
  @Field({ example: 'invalid_grant', description: 'the error as a code of RFC 6749' })
  error: string;

  @Field({ example: 'grant request is invalid', optional: true, description: 'the error for developers' })
  error_description?: string;
}

/** JSON-RPC's own codes. Every other error is an invalid request. */
const RPC_CODES: Readonly<Record<string, number>> = { invalid_json: -32700, internal_error: -32603 };
const RPC_INVALID_REQUEST = -32600;

/** The parts of an error that a body may show. */
interface Shown {
  text: string;
  code: string;
  field?: string | undefined;
  /** Problems of the parts. */
  parts?: Readonly<Record<string, string>> | undefined;
  /** The current state of the object, by its name in the body. */
  object?: Readonly<Record<string, object>> | undefined;
  scopes?: RefusedScopes | undefined;
}

interface Shape {
  readonly type: Type;
  body(error: Shown): StandardError | PlainError | CodeError | RpcError | OAuthError;
}

const SHAPES: Readonly<Record<ErrorShapeName, Shape>> = {
  standard: {
    type: StandardError,
    body: ({ text, code, field, parts, object, scopes }) => ({
      ok: false,
      error: text,
      code,
      ...(field !== undefined && { field }),
      ...(parts && { errors: parts }),
      ...object,
      ...scopes,
    }),
  },
  plain: {
    type: PlainError,
    body: ({ text, code, scopes }) => ({ error: text, ...(scopes && { code, ...scopes }) }),
  },
  code: { type: CodeError, body: ({ code }) => ({ ok: false, error: code }) },
  generic: { type: GenericError, body: () => ({ ok: false, error: 'request rejected' }) },
  rpc: {
    type: RpcError,
    body: ({ text, code, scopes }) => ({
      jsonrpc: '2.0',
      id: null,
      error: { code: RPC_CODES[code] ?? RPC_INVALID_REQUEST, message: text, data: { code, ...scopes } },
    }),
  },
  oauth: { type: OAuthError, body: ({ text, code }) => ({ error: code, error_description: text }) },
};

/** Returns the body of an error in this shape. */
export const errorBody = (shape: ErrorShapeName, error: Shown): ReturnType<Shape['body']> =>
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
