import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication } from '@nestjs/common';
import { VERSION } from '../config/index.js';
import { TokenResolvers } from './principals.js';

/**
 * Serves the OpenAPI document of every endpoint at `/api/openapi.json` and shows it at `/api/docs` (decisions, section 2).
 * @returns the document
 */
export function serveOpenApi(
  app: INestApplication,
  { publicUrl, description }: { publicUrl: string; description: string },
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Tieline')
    .setDescription(description)
    .setVersion(VERSION)
    .addServer(publicUrl);
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
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  SwaggerModule.setup('api/docs', app, document, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Tieline API',
  });
  return document;
}
