import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { describeApi, serveOpenApi, TokenResolvers } from '@tieline/platform/http';
import type { ApiDocuments } from '@tieline/platform/http';

const DESCRIPTION = { description: 'one test', hasPage: false };

/** The last documents with what they were created from. */
const described: { parts: unknown[]; documents: ApiDocuments }[] = [];
const KEPT = 8;

/**
 * Serves the OpenAPI document of an application in a test, without its page. Applications of a
 * process with the same controllers share the document, because creating it takes a third of the
 * start.
 */
export function serveTestDocument(app: INestApplication): void {
  const parts = partsOf(app);
  const index = described.findIndex((one) => isSame(one.parts, parts));
  const [known] = index < 0 ? [] : described.splice(index, 1);
  const documents = known?.documents ?? describeApi(app, DESCRIPTION);
  described.push({ parts, documents });
  if (described.length > KEPT) described.shift();
  serveOpenApi(app, DESCRIPTION, documents);
}

/** Returns everything that the document of an application depends on. */
function partsOf(app: INestApplication): unknown[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  const { descriptions } = app.get(TokenResolvers, { strict: false });
  return [JSON.stringify(descriptions), ...controllers.map(({ metatype }) => metatype)];
}

const isSame = (one: unknown[], other: unknown[]): boolean =>
  one.length === other.length && one.every((part, index) => part === other[index]);
