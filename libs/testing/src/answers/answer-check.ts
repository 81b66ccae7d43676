import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { closed, closedAll } from './closed-schema.js';
import type { Schema } from './closed-schema.js';

interface Operation {
  /** Whether answers have undocumented fields, and errors are answers with `ok: false`. */
  'x-open-answer'?: boolean;
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
/** The parts of an OpenAPI 3.1 document that {@link AnswerCheck} reads. */
export interface OpenApiDocument {
  paths: object;
  components?: { schemas?: object };
}

/** A response as sent by the server. */
export interface SeenAnswer {
  method: string;
  /** Route pattern of the router, such as `/things/:id`; undefined if no route matches. */
  route: string | undefined;
  status: number;
  /** Media type without parameters. */
  type: string | undefined;
  /** Undefined if the body is streamed or absent. */
  text: string | undefined;
}

const JSON_TYPE = 'application/json';
const ANY_TYPE = '*/*';
/** Name of the schemas as they are documented. Those of `openapi` allow nothing else. */
const OPEN = 'openapi-open';

/** Compares responses with the OpenAPI document. Anything undocumented is a fault. */
export class AnswerCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } });
  private readonly operations = new Map<string, Operation>();
  private readonly validators = new Map<Schema, ValidateFunction>();
  /**
   * Allowed responses for undocumented operations: an error in one of the documented shapes, if
   * any.
   */
  private readonly anyError: ValidateFunction;

  constructor(document: OpenApiDocument) {
    const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
    this.ajv.addSchema({ $id: 'openapi', components: { schemas: closedAll(schemas) } });
    this.ajv.addSchema({ $id: OPEN, components: { schemas } });
    const errors = Object.keys(schemas).filter((name) => name.endsWith('Error'));
    this.anyError = this.ajv.compile(
      errors.length === 0
        ? true
        : { anyOf: errors.map((name) => ({ $ref: `openapi#/components/schemas/${name}` })) },
    );
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>))
      for (const [method, operation] of Object.entries(methods))
        this.operations.set(`${method.toUpperCase()} ${anonymous(path)}`, operation);
  }

  /** Returns what is wrong with the response, or undefined if it matches the document. */
  fault(response: SeenAnswer): string | undefined {
    const { method, route, status } = response;
    const fault = this.faultOf(response);
    return fault && `${method} ${route ?? '(no route)'} answered ${status} ${response.text ?? ''}: ${fault}`;
  }

  private faultOf(answer: SeenAnswer): string | undefined {
    const operation = this.operation(answer);
    // 405 means that the operation does not exist.
    if (!operation || answer.status === 405) return this.faultOfUnknown(answer);
    const response = operation.responses?.[answer.status];
    if (!response) return 'the document has no such status for this operation';
    const types = Object.keys(response.content ?? {});
    if (answer.type !== JSON_TYPE || types.includes(ANY_TYPE)) return faultOfOther(answer, types);
    const schema = response.content?.[JSON_TYPE]?.schema;
    if (schema?.$ref === undefined) return 'the document names no class for this answer';
    if (operation['x-open-answer'] === true && answer.status === 200)
      return faultOfBody(this.validatorOf(schema, { isOpen: true }), answer.text);
    return faultOfBody(this.validatorOf(schema), answer.text) ?? faultOfOk(answer);
  }

  /** An undocumented operation may only refuse. HTML pages are not checked. */
  private faultOfUnknown({ status, type, text }: SeenAnswer): string | undefined {
    if (type !== JSON_TYPE) return undefined;
    return status < 400 ? 'the document has no such operation' : faultOfBody(this.anyError, text);
  }

  /** HEAD is checked like GET unless it is documented separately. */
  private operation({ method, route }: SeenAnswer): Operation | undefined {
    if (route === undefined) return undefined;
    const path = anonymous(route);
    const own = this.operations.get(`${method} ${path}`);
    return own ?? (method === 'HEAD' ? this.operations.get(`GET ${path}`) : undefined);
  }

  private validatorOf(schema: Schema, { isOpen = false } = {}): ValidateFunction {
    const known = this.validators.get(schema);
    if (known) return known;
    const validate = this.ajv.compile(isOpen ? { $ref: `${OPEN}${String(schema.$ref)}` } : closed(schema));
    this.validators.set(schema, validate);
    return validate;
  }
}

/** Returns the path without parameter names, whose syntax differs between router and document. */
const anonymous = (path: string): string => path.replace(/\{[^}]+\}|:\w+|\*/g, '{}').replace(/(.)\/$/, '$1');

/**
 * Checks a response that is not JSON: its media type must be documented. A response without a body
 * has none.
 */
function faultOfOther({ method, type, text }: SeenAnswer, documented: string[]): string | undefined {
  if (type === undefined) return text ? 'a body without a type' : undefined;
  if (method === 'HEAD' || documented.includes(type) || documented.includes(ANY_TYPE)) return undefined;
  return `the document knows ${documented.join(', ') || 'no body'}, not ${type}`;
}

/**
 * Checks that `ok` agrees with the status. The document declares `ok` as a boolean, because
 * constants break client generators.
 */
function faultOfOk({ text = '', status }: SeenAnswer): string | undefined {
  const { ok } = (text === '' ? {} : JSON.parse(text)) as { ok?: boolean };
  if (ok === undefined || ok === status < 400) return undefined;
  return `"ok" is ${ok} beside the status ${status}`;
}

function faultOfBody(validate: ValidateFunction, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (validate(JSON.parse(text))) return undefined;
  return validate.errors
    ?.map(({ instancePath, message, params }) =>
      `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
    )
    .join('; ');
}
