import { Injectable } from '@nestjs/common';
import { operationsOfTools } from '../tools/tool-list.js';
import { RestApi } from '@tieline/platform/http';
import { plainSchema } from './plain-schema.js';
import type { Schema } from './plain-schema.js';

/** A parameter or a field of the body. */
export interface OperationField {
  place: 'path' | 'query' | 'header' | 'body';
  schema: Schema;
}

/** An endpoint of the REST API, as the OpenAPI document describes it. */
export interface Operation {
  method: string;
  /** With `{name}` for each parameter. */
  path: string;
  fields: ReadonlyMap<string, OperationField>;
  /** The scope that a call requires. */
  scope: string;
  /** Schema of the 200 answer. */
  answer: Schema;
}

interface DocumentedOperation {
  operationId: string;
  'x-scope'?: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = 'application/json';

/**
 * The operations that tools call. Arguments and results of tools have the schemas of the OpenAPI
 * document, so that no rule is written twice. The document is read with the first use, and only
 * the wanted operations are kept.
 */
@Injectable()
export class Operations {
  private reading: Promise<ReadonlyMap<string, Operation>> | undefined;

  constructor(private readonly rest: RestApi) {}

  /** Returns an operation by its id. @throws Error if the document lacks it */
  async get(id: string): Promise<Operation> {
    this.reading ??= this.rest.document().then((document) => operationsIn(document as unknown as Document));
    const operation = (await this.reading).get(id);
    if (!operation) throw new Error(`the OpenAPI document has no operation ${id}`);
    return operation;
  }
}

function operationsIn({ paths, components }: Document): Map<string, Operation> {
  const ids = new Set([...operationsOfTools()]);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => ids.has(operationId))
      .map(([method, documented]): [string, Operation] => [
        documented.operationId,
        {
          method: method.toUpperCase(),
          path,
          scope: documented['x-scope'] ?? 'none',
          ...partsOf(documented, components.schemas),
        },
      ]),
  );
  return new Map(found);
}

function partsOf(
  { parameters = [], requestBody, responses }: DocumentedOperation,
  named: Readonly<Record<string, Schema>>,
): Pick<Operation, 'fields' | 'answer'> {
  const body = plainSchema(requestBody?.content[JSON_TYPE]?.schema ?? {}, named);
  const fields = new Map<string, OperationField>();
  for (const [name, schema] of Object.entries(body.properties ?? {}))
    fields.set(name, { place: 'body', schema });
  for (const { name, in: place, schema, description } of parameters)
    fields.set(name, {
      place,
      schema: { ...plainSchema(schema, named), ...(description !== undefined && { description }) },
    });
  return { fields, answer: plainSchema(responses['200']?.content?.[JSON_TYPE]?.schema ?? {}, named) };
}
