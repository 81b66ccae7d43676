import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../callers/authenticated-request.js';
import { callWith } from '../callers/resolved-token.js';

type Json = Record<string, unknown>;

/** A request to an endpoint of this process. */
export interface RestRequest {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Json;
}

/** The answer of an endpoint of this process. */
export interface RestAnswer {
  status: number;
  body: Json;
  /** `Retry-After`, in seconds. */
  retryAfter?: number;
}

/** The error of an endpoint, in the words of the API. */
export interface RestError {
  error: string;
  code: string;
  field?: string;
  /** Of `insufficient_scope`: the scope that the token lacks, and those it has. */
  required?: string;
  granted?: readonly string[];
  /** Time until a repeat can succeed. */
  retry_after_seconds?: number;
}

/** The caller of an endpoint: the request that came over the network, and the end of it. */
export interface RestCaller {
  request: FastifyRequest;
  signal: AbortSignal;
}

/** Headers that say who calls, from where, and under which id. */
const FORWARDED = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'user-agent',
  'x-csrf-token',
  'x-forwarded-for',
];

/**
 * Calls the REST API of this process without the network. Rights, rates, idempotency keys, audit
 * log and metrics are those of the endpoint, because the same code answers.
 */
@Injectable()
export class RestApi {
  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * Sends a request as this caller. Uses the token lookup of the caller's request for a second, so
   * that most calls look a token up once.
   */
  async call({ request, signal }: RestCaller, rest: RestRequest): Promise<RestAnswer> {
    const { raw, id } = request;
    const given = FORWARDED.flatMap((name) => {
      const value = raw.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    // An injected request starts when it is awaited, which must happen inside the call.
    const response = await callWith(
      (request as AuthenticatedRequest).resolved,
      async () =>
        await this.fastify.inject({
          method: rest.method as 'GET',
          url: rest.path,
          headers: { ...Object.fromEntries(given), 'x-request-id': id, ...rest.headers },
          signal,
          ...(raw.socket.remoteAddress !== undefined && { remoteAddress: raw.socket.remoteAddress }),
          ...(rest.query && { query: rest.query }),
          ...(rest.body && { payload: rest.body }),
        }),
    );
    const retryAfter = Number(response.headers['retry-after'] ?? 0);
    return {
      status: response.statusCode,
      body: response.json<Json>(),
      ...(retryAfter > 0 && { retryAfter }),
    };
  }

  /** Returns the OpenAPI document of this process. */
  async document(): Promise<Json> {
    return (await this.fastify.inject('/api/openapi.json')).json<Json>();
  }

  private get fastify(): FastifyInstance {
    return this.host.httpAdapter.getInstance<FastifyInstance>();
  }
}

/** Codes of errors whose shape has none: those of files. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Returns the error of an answer with a status of 400 or more. */
export function errorOf({ status, body, retryAfter }: RestAnswer): RestError {
  const {
    error,
    code = CODES[status] ?? 'internal_error',
    field,
    required,
    granted,
  } = body as unknown as Partial<RestError>;
  return {
    error: String(error),
    code,
    ...(field !== undefined && { field }),
    ...(required !== undefined && { required, granted }),
    ...(retryAfter !== undefined && { retry_after_seconds: retryAfter }),
  };
}
