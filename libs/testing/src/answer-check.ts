import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

type Schema = Record<string, unknown>;
interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
type Methods = Partial<Record<string, Operation>>;
/** What {@link AnswerCheck} reads of an OpenAPI 3.0 document. */
export interface OpenApiDocument {
  paths: object;
  components?: { schemas?: object };
}

/** Holds answers against the OpenAPI document: whatever it doesn't say must not be answered. */
export class AnswerCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly routes: { pattern: RegExp; parameters: number; methods: Methods }[];
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.ajv.addSchema({
      $id: 'openapi',
      components: { schemas: closedAll((document.components?.schemas ?? {}) as Record<string, Schema>) },
    });
    this.routes = Object.entries(document.paths as Record<string, Methods>).map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
      parameters: path.split('{').length,
      methods,
    }));
    // A fixed word goes before a parameter at the same place.
    this.routes.sort((a, b) => a.parameters - b.parameters);
  }

  /** @throws Error when the answer's status or body is not what the document says of the operation */
  check(method: string, url: string, status: number, body: unknown): void {
    const operation = this.operation(method, url.split('?', 1)[0] ?? url);
    if (!operation) return;
    const schema = operation.responses?.[status]?.content?.['application/json']?.schema;
    if (schema?.$ref === undefined) return;
    const validate = this.validatorOf(schema);
    if (validate(body)) return;
    const faults = validate.errors?.map(({ instancePath, message, params }) =>
      `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
    );
    throw new Error(
      `${method} ${url} answered ${status} ${JSON.stringify(body)}, against the document: ${faults?.join('; ')}`,
    );
  }

  private operation(method: string, path: string): Operation | undefined {
    const name = method.toLowerCase();
    return this.routes.find(({ pattern, methods }) => pattern.test(path) && methods[name])?.methods[name];
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const known = this.validators.get(schema);
    if (known) return known;
    const made = this.ajv.compile(closed(schema));
    this.validators.set(schema, made);
    return made;
  }
}

/** The schema as JSON Schema has it, closed: what it names no property for must not be there. */
function closed(schema: Schema): Schema {
  const { nullable, properties, items, $ref, allOf, oneOf, ...rest } = schema;
  const made: Schema = { ...rest };
  if ($ref !== undefined) made.$ref = `openapi${String($ref)}`;
  if (items !== undefined) made.items = closed(items as Schema);
  if (allOf !== undefined) made.allOf = (allOf as Schema[]).map(closed);
  if (oneOf !== undefined) made.oneOf = (oneOf as Schema[]).map(closed);
  if (properties !== undefined) {
    made.properties = closedAll(properties as Record<string, Schema>);
    made.additionalProperties ??= false;
  }
  return nullable === true ? { anyOf: [made, { type: 'null' }] } : made;
}

const closedAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
