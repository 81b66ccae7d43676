import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../config/index.js';
import { tooLarge } from './api-error.js';
import { sessionCookie } from './callers/session-cookies.js';
import { TokenResolvers } from './callers/principals.js';

const IN_COOKIE =
  'a session, as signing in sets it; what is neither GET nor HEAD also needs the header `X-CSRF-Token` (403 `csrf_failed`). A bearer token wins';

/**
 * Serves the OpenAPI document of every endpoint at `/api/openapi.json` and shows it at `/api/docs` (decisions, section 2).
 * @returns the document
 */
export function serveOpenApi(app: INestApplication, { description }: { description: string }): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Tieline')
    .setDescription(description)
    .setVersion(VERSION)
    .addServer('/', 'where this document comes from');
  const tokens = {
    bot: "a bot's token",
    client: "a person's token",
    'bot-or-client': "a bot's or a person's token",
    admin: 'the token of a person whose role is admin or owner',
    operator: "the installation's OPERATOR_TOKEN",
    ...app.get(TokenResolvers, { strict: false }).descriptions,
  };
  for (const [name, meaning] of Object.entries(tokens))
    builder.addBearerAuth({ type: 'http', scheme: 'bearer', description: meaning }, name);
  for (const [name, kind] of [
    ['cookieAuth', 'person'],
    ['operatorCookieAuth', 'operator'],
  ] as const)
    builder.addCookieAuth(
      sessionCookie(kind),
      { type: 'apiKey', in: 'cookie', description: IN_COOKIE },
      name,
    );
  const document = SwaggerModule.createDocument(app, builder.build());
  for (const methods of Object.values(document.paths))
    for (const operation of [methods.post, methods.put, methods.patch, methods.delete])
      if (operation?.requestBody) documentTooLarge(operation);
  (app.getHttpAdapter().getInstance() as FastifyInstance).bodyWarnings?.document(document);
  SwaggerModule.setup('api/docs', app, document, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Tieline API',
  });
  return document;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** Every body has a limit: an operation that takes one answers 413 in the shape of its other errors. */
function documentTooLarge({ responses }: Operation): void {
  const malformed = responses['400'];
  if (malformed === undefined || '$ref' in malformed || responses['413'] !== undefined) return;
  const { text, code } = tooLarge();
  const errorExample = (example: object): object => ({
    ...example,
    error: text,
    ...('code' in example && { code }),
  });
  const content = Object.entries(malformed.content ?? {}).map(([type, media]) => [
    type,
    { ...media, example: errorExample(media.example as object) },
  ]);
  responses['413'] = { description: 'the body is over the limit', content: Object.fromEntries(content) };
}
