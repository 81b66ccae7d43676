import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication, Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../config/index.js';
import { tooLarge } from '../api-error.js';
import type { ApiError } from '../api-error.js';
import { encodedBody } from '../json-body.js';
import { TOKEN_SCHEME } from '../callers/authentication.js';
import { sessionCookie } from '../callers/session-cookies.js';
import { TokenResolvers } from '../callers/principals.js';
import { SCOPE_DESCRIPTIONS } from '../callers/scopes.js';
import { documentWarnings } from '../bodies/body-warnings.js';
import type { KnownBodies } from '../bodies/body-warnings.js';
import { nameAlternatives } from './alternatives.js';
import { classesWithExample, showBodyExamples } from './body-example.js';
import { DOCS_PAGES, protectDocsPages } from './docs-page.js';
import { showExactBodies } from './exact-body.js';
import { groupByCaller } from './groups.js';
import { serveGuides } from './guides.js';
import { describeNullableFields } from './nullable-fields.js';
import { completeOperations } from './operations.js';
import { answersTo, describeStreams, modelsOf, sendings } from './sent.js';
import type { SentTo } from './sent.js';
import { serveDocument } from './served-document.js';
import { splitWebhooks } from './webhooks.js';

const IN_COOKIE =
  'a session, as signing in sets it; where PUBLIC_URL is https its name begins with `__Host-`. What is neither GET nor HEAD also needs the header `X-CSRF-Token` (403 `csrf_failed`). A bearer token wins';

/** The parts of the document that belong to no route. */
export interface ApiDescription {
  /** The introduction, Markdown. */
  description: string;
  /** Requests to other servers. */
  sent?: readonly SentTo[];
  /** Events of the streams, by operation name. */
  streams?: Readonly<Record<string, readonly Type[]>>;
  /** Further classes of bodies for readers of the document. */
  models?: readonly Type[];
  /** A folder of Markdown files that are served beside the page. */
  guides?: URL;
  /** Whether the document is also served as a page; true by default. */
  hasPage?: boolean;
}

/** The documents of an application. {@link describeApi} creates them. */
export interface ApiDocuments {
  api: OpenAPIObject;
  /** Requests to other servers. */
  webhooks: OpenAPIObject;
  /** The bodies whose unknown fields cause warnings. */
  bodies: KnownBodies;
}

/**
 * Serves the OpenAPI document of every endpoint at `/api/openapi.json` and as a page at
 * `/api/docs`. Requests to other servers have a separate document at `/api/webhooks.json`, shown at
 * `/api/docs/webhooks`. Operators can disable the pages.
 * @param documents of an application with the same routes, which saves creating them
 * @returns the document
 */
export function serveOpenApi(
  app: INestApplication,
  description: ApiDescription,
  documents = describeApi(app, description),
): OpenAPIObject {
  const { api, webhooks, bodies } = documents;
  const { guides, hasPage = true } = description;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  fastify.bodyWarnings?.use(bodies);
  serveDocument(app, '/api/openapi.json', api);
  serveDocument(app, '/api/webhooks.json', webhooks);
  if (!hasPage) return api;
  if (guides) serveGuides(app, guides);
  protectDocsPages(fastify);
  SwaggerModule.setup(DOCS_PAGES.api, app, api, { raw: false, customSiteTitle: 'Tieline API' });
  SwaggerModule.setup(DOCS_PAGES.webhooks, app, webhooks, {
    raw: false,
    customSiteTitle: 'Tieline webhooks',
  });
  return api;
}

/** Creates the documents of every endpoint of an application. */
export function describeApi(
  app: INestApplication,
  { description, sent = [], streams = {}, models = [] }: ApiDescription,
): ApiDocuments {
  const document = SwaggerModule.createDocument(app, withSent(frame(app, description), sent), {
    extraModels: [...modelsOf(sent), ...Object.values(streams).flat(), ...models],
  });
  describeStreams(document, streams);
  showExactBodies(document);
  for (const methods of Object.values(document.paths))
    for (const operation of [methods.post, methods.put, methods.patch, methods.delete])
      if (operation?.requestBody) documentRefusedBodies(operation);
  describeNullableFields(document, [...classesWithExample(document), ...answersTo(sent)]);
  nameAlternatives(document);
  completeOperations(document);
  const bodies = documentWarnings(document);
  showBodyExamples(document);
  groupByCaller(document);
  const webhooks = splitWebhooks(document);
  return { api: document, webhooks, bodies };
}

/** The parts of the document that belong to no route. */
function frame(app: INestApplication, description: string): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tieline')
    .setDescription(description)
    .setVersion(VERSION)
    .addServer('/', 'this server')
    // What `x-scope` of the operations can require.
    .addExtension('x-scopes', SCOPE_DESCRIPTIONS)
    .addSecurity(TOKEN_SCHEME, { type: 'http', scheme: 'bearer', description: tokens(app) });
  for (const [name, kind] of [
    ['cookieAuth', 'person'],
    ['operatorCookieAuth', 'operator'],
  ] as const)
    builder.addSecurity(name, {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie(kind),
      description: IN_COOKIE,
    });
  return builder.build();
}

/** OpenAPI calls requests to other servers webhooks. */
const withSent = <T>(document: T, sent: readonly SentTo[]): T => ({ ...document, webhooks: sendings(sent) });

function tokens(app: INestApplication): string {
  const known = Object.values(app.get(TokenResolvers, { strict: false }).descriptions);
  return `${[...known, 'OPERATOR_TOKEN'].join(', ')}: the first word of an operation's tag says whose; admin is a person whose role is admin or owner`;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/**
 * Every JSON body is limited and uncompressed: an operation with a body answers 413 and 415 in the
 * shape of its other errors.
 */
function documentRefusedBodies({ responses, requestBody }: Operation): void {
  documentLike(responses, '400', tooLarge(), 'the body is over the limit');
  const types = requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [];
  if (types.every((type) => type === 'application/json'))
    documentLike(responses, '400', encodedBody(), 'the body is compressed');
}

/** Documents an error with the content of another status and a different text in the example. */
function documentLike(
  responses: Operation['responses'],
  like: string,
  { status, text, code }: ApiError,
  description: string,
): void {
  const other = responses[like];
  if (other === undefined || '$ref' in other || responses[status] !== undefined) return;
  const errorExample = (example: object): object => ({
    ...example,
    error: text,
    ...('code' in example && { code }),
  });
  const content = Object.entries(other.content ?? {}).map(([type, media]) => [
    type,
    { ...media, example: errorExample(media.example as object) },
  ]);
  responses[status] = { description, content: Object.fromEntries(content) };
}
