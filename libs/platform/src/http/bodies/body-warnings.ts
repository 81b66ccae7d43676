import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SchemaReader, unknownFields } from './known-fields.js';
import type { BodySchema, Known } from './known-fields.js';

declare module 'fastify' {
  interface FastifyInstance {
    bodyWarnings?: BodyWarnings;
  }
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Schemas = Record<string, { properties?: Record<string, unknown> }>;

/** The fields of bodies by operation, such as `POST /things/:id`. */
export type KnownBodies = ReadonlyMap<string, Known>;

const JSON_TYPE = 'application/json';
const WARNINGS = {
  type: 'array',
  maxItems: 20,
  items: { type: 'string' },
  description: 'unknown fields of the body, which were ignored; absent if there are none',
  example: ['unknown field: attachments[0].name'],
};

/**
 * Lists unknown fields of JSON bodies in `warnings` of the 2xx answer, for every route that
 * requires a token (docs/errors.md#warnings). Parts that the OpenAPI document leaves open, such as
 * the values of a form, may contain anything. An answer that has warnings keeps them.
 */
export class BodyWarnings {
  private known: KnownBodies = new Map();

  /** Adds the warnings to answers of this application. Call it before its routes are registered. */
  static of(fastify: FastifyInstance): void {
    const warnings = new BodyWarnings();
    fastify.decorate('bodyWarnings', warnings);
    fastify.addHook('preSerialization', (request, reply, payload, done) => {
      const found = reply.statusCode < 300 ? warnings.of(request) : [];
      if (found.length === 0) return done(null, payload);
      const { warnings: own = [] } = payload as { warnings?: string[] };
      done(null, { ...(payload as object), warnings: [...own, ...found] });
    });
  }

  /** Sets the bodies of this application's document. */
  use(bodies: KnownBodies): void {
    this.known = bodies;
  }

  private of({ body, method, routeOptions }: FastifyRequest): string[] {
    if (typeof body !== 'object' || body === null) return [];
    const known = this.known.get(keyOf(method, routeOptions.url ?? ''));
    return known ? unknownFields(body, known) : [];
  }
}

/** Returns the bodies of a document, and adds the warnings to their answers in it. */
export function documentWarnings(document: OpenAPIObject): KnownBodies {
  const bodies = new Map<string, Known>();
  const reader = new SchemaReader(document);
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const operation = methods[method];
      if (!operation || !warns(operation)) continue;
      const known = reader.read(bodyOf(operation));
      if (!known) continue;
      bodies.set(keyOf(method, path.replace(/\{(\w+)\}/g, ':$1')), known);
      for (const answer of answersOf(operation, schemas))
        answer.properties = {
          ...answer.properties,
          warnings: answer.properties?.warnings ?? WARNINGS,
        };
    }
  return bodies;
}

/** Operations with a token, and those that issue one. Anonymous callers get no warnings. */
function warns({ security = [], tags = [] }: Operation): boolean {
  return security.length > 0 || tags.some((tag) => /^(person|operator): /.test(tag));
}

const keyOf = (method: string, url: string): string => `${method.toUpperCase()} ${url}`;

function bodyOf({ requestBody }: Operation): BodySchema {
  if (!requestBody || '$ref' in requestBody) return {};
  return (requestBody.content[JSON_TYPE]?.schema ?? {}) as BodySchema;
}

/** Returns the classes of an operation's 2xx answers. */
function answersOf({ responses }: Operation, schemas: Schemas): Schemas[string][] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!status.startsWith('2') || !response || '$ref' in response) return [];
    const schema = response.content?.[JSON_TYPE]?.schema;
    const answer =
      schema && '$ref' in schema ? schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : undefined;
    return answer ? [answer] : [];
  });
}
