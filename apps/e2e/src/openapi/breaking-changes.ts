import { schemaBreaks } from './breaking-schemas.js';
import type { Schema } from './breaking-schemas.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
type Content = Record<string, { schema?: Schema }>;
interface Operation {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}
type Paths = Record<string, Record<string, Operation>>;
/** The parts of an OpenAPI 3.1 document that callers depend on. */
export interface Contract {
  paths: Paths;
  webhooks?: Paths;
  components?: { schemas?: Record<string, Schema> };
}

/**
 * Returns what breaks a program written against `before` when it uses `after`, one sentence each.
 * Additions are fine: new operations, optional fields of bodies, fields and values of responses,
 * and errors.
 */
export function breakingChanges(before: Contract, after: Contract): string[] {
  return [
    ...pathBreaks(before, after, 'paths', 'request'),
    // Webhooks are read by others and their responses by us, so the directions are swapped.
    ...pathBreaks(before, after, 'webhooks', 'answer'),
  ];
}

type Direction = 'request' | 'answer';
const other = (one: Direction): Direction => (one === 'request' ? 'answer' : 'request');

function pathBreaks(
  before: Contract,
  after: Contract,
  part: 'paths' | 'webhooks',
  body: Direction,
): string[] {
  return Object.entries(before[part] ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const now = after[part]?.[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      const breaks = now
        ? new OperationBreaks([before, after], operation, now).all(body)
        : ['there is no such operation any more'];
      return [...new Set(breaks)].map((what) => `${name}: ${what}`);
    }),
  );
}

class OperationBreaks {
  constructor(
    private readonly documents: [Contract, Contract],
    private readonly before: Operation,
    private readonly after: Operation,
  ) {}

  all(body: Direction): string[] {
    const { before, after } = this;
    const renamed = before.operationId !== after.operationId;
    return [
      ...(renamed ? [`${before.operationId} is called ${after.operationId}`] : []),
      ...this.callers(),
      ...this.parameters(),
      ...this.body(body),
      ...this.answers(other(body)),
    ];
  }

  /** Existing callers must still have access. */
  private callers(): string[] {
    const now = new Set(this.after.security?.map((one) => JSON.stringify(one)));
    if (now.size === 0) return [];
    const were = this.before.security ?? [];
    if (were.length === 0) return ['wants a token now'];
    return were
      .filter((one) => !now.has(JSON.stringify(one)))
      .map((one) => `does not take ${JSON.stringify(one)} any more`);
  }

  private parameters(): string[] {
    const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;
    const were = new Map(this.before.parameters?.map((one) => [keyOf(one), one]));
    const are = new Map(this.after.parameters?.map((one) => [keyOf(one), one]));
    return [
      ...[...were.keys()].filter((key) => !are.has(key)).map((key) => `does not read ${key} any more`),
      ...[...are].flatMap(([key, now]) => {
        const was = were.get(key);
        const demanded = now.required && !was?.required ? [`demands ${key}`] : [];
        return was ? [...demanded, ...this.schema(was.schema, now.schema, 'request', key)] : demanded;
      }),
    ];
  }

  private body(direction: Direction): string[] {
    const { requestBody: was } = this.before;
    const { requestBody: now } = this.after;
    const demanded = now?.required && !was?.required ? ['demands a body'] : [];
    if (!was) return demanded;
    if (!now) return ['does not take a body any more'];
    return [...demanded, ...this.content(was.content, now.content, direction, 'body')];
  }

  /** Errors may change; programs depend on successful responses. */
  private answers(direction: Direction): string[] {
    return Object.entries(this.before.responses).flatMap(([status, { content = {} }]) => {
      if (!status.startsWith('2')) return [];
      const now = this.after.responses[status];
      return now
        ? this.content(content, now.content ?? {}, direction, `answer ${status}`)
        : [`does not answer ${status} any more`];
    });
  }

  private content(was: Content, now: Content, direction: Direction, place: string): string[] {
    return Object.entries(was).flatMap(([type, { schema }]) => {
      const media = now[type];
      return media
        ? this.schema(schema, media.schema, direction, place)
        : [`${place} is no ${type} any more`];
    });
  }

  private schema(was: Schema | undefined, now: Schema | undefined, to: Direction, place: string): string[] {
    const [before, after] = this.documents;
    const all = [before.components?.schemas ?? {}, after.components?.schemas ?? {}] as const;
    return schemaBreaks(all, [was ?? {}, now ?? {}], to, place);
  }
}
