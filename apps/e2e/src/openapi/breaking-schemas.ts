/** The parts of JSON Schema that OpenAPI documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  [limit: string]: unknown;
}
type Schemas = Readonly<Record<string, Schema>>;
type Pair = readonly [was: Schema, now: Schema];

const UPPER = ['maxLength', 'maxItems', 'maximum', 'maxProperties'];
const LOWER = ['minLength', 'minItems', 'minimum', 'minProperties'];

/**
 * Returns what became narrower in requests (`request`) or wider in responses (`answer`), with its
 * place.
 * @param all the named schemas of both documents
 */
export function schemaBreaks(
  all: readonly [Schemas, Schemas],
  pair: Pair,
  to: 'request' | 'answer',
  place: string,
): string[] {
  return to === 'request' ? new RequestBreaks(all).of(pair, place) : new AnswerBreaks(all).of(pair, place);
}

abstract class SchemaBreaks {
  /** Pairs of names already compared or in progress, because schemas can be recursive. */
  private readonly seen = new Set<string>();

  constructor(private readonly all: readonly [Schemas, Schemas]) {}

  of([was, now]: Pair, place: string): string[] {
    const key = `${was.$ref} ${now.$ref}`;
    if (was.$ref && now.$ref) {
      if (this.seen.has(key)) return [];
      this.seen.add(key);
    }
    const pair = [flat(was, this.all[0]), flat(now, this.all[1])] as const;
    return [
      ...this.here(pair, place),
      ...this.fields(pair, place),
      ...(pair[0].items && pair[1].items ? this.of([pair[0].items, pair[1].items], `${place}[]`) : []),
    ];
  }

  private fields([was, now]: Pair, place: string): string[] {
    const [had, has] = [was.properties ?? {}, now.properties ?? {}];
    if (!was.properties || !now.properties) return [];
    return Object.entries(had).flatMap(([name, schema]) => {
      const field = has[name];
      return field ? this.of([schema, field], `${place}.${name}`) : [`${place}.${name} is gone`];
    });
  }

  protected abstract here(pair: Pair, place: string): string[];
}

/** Accepted values must stay accepted. */
class RequestBreaks extends SchemaBreaks {
  protected here([was, now]: Pair, place: string): string[] {
    const demanded = (now.required ?? []).filter((name) => !was.required?.includes(name));
    const tighter = (limits: string[], isTighter: (one: number, other: number) => boolean): string[] =>
      limits.filter((limit) => {
        const [before, after] = [was[limit] as number | undefined, now[limit] as number | undefined];
        return after !== undefined && (before === undefined || isTighter(after, before));
      });
    const changed = [
      ...tighter(UPPER, (after, before) => after < before),
      ...tighter(LOWER, (after, before) => after > before && after > 0),
      ...(now.pattern !== undefined && now.pattern !== was.pattern ? ['pattern'] : []),
    ];
    return [
      ...demanded.map((name) => `${place}.${name} is demanded`),
      ...without(kinds(was), kinds(now)).map((kind) => `${place} takes no ${kind} any more`),
      ...without(values(was), values(now)).map((value) => `${place} takes no ${value} any more`),
      ...changed.map((limit) => `${place} has a tighter ${limit}`),
    ];
  }
}

/**
 * Fields that were always present must stay present with known types. New values are allowed,
 * because readers must expect them.
 */
class AnswerBreaks extends SchemaBreaks {
  protected here([was, now]: Pair, place: string): string[] {
    const mayLack = (was.required ?? []).filter(
      (name) => now.properties?.[name] && !now.required?.includes(name),
    );
    return [
      ...mayLack.map((name) => `${place}.${name} may be absent`),
      ...without(kinds(now), kinds(was)).map((kind) => `${place} may be ${kind}`),
    ];
  }
}

/** Returns the allowed types; undefined means any. */
const without = (some: string[] | undefined, others: string[] | undefined): string[] =>
  others === undefined ? [] : (some ?? ['anything else']).filter((one) => !others.includes(one));

/** A number can be an integer. */
function kinds({ type, properties }: Schema): string[] | undefined {
  if (type === undefined) return properties ? ['object'] : undefined;
  const types = [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
}

const values = (schema: Schema): string[] | undefined => schema.enum?.map((value) => JSON.stringify(value));

/** Merges a schema with its parts and its named schema; for alternatives, takes their union. */
function flat(schema: Schema, all: Schemas, depth = 0): Schema {
  if (depth > 8) return {};
  const named = schema.$ref ? all[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : undefined;
  const parts = [named, ...(schema.allOf ?? [])].flatMap((part) =>
    part ? [flat(part, all, depth + 1)] : [],
  );
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).map((part) => flat(part, all, depth + 1));
  const { $ref: _, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  return merged([...parts, ...(alternatives.length > 0 ? [union(alternatives)] : []), own]);
}

function merged(parts: Schema[]): Schema {
  const made: Schema = {};
  for (const part of parts) {
    const properties = { ...made.properties, ...part.properties };
    const required = [...(made.required ?? []), ...(part.required ?? [])];
    Object.assign(made, part, Object.keys(properties).length > 0 && { properties }, { required });
  }
  return made;
}

function union(parts: Schema[]): Schema {
  const types = parts.map(kinds);
  const required = parts
    .filter(({ type }) => type !== 'null')
    .map((part) => part.required ?? [])
    .reduce((one, two) => one.filter((name) => two.includes(name)));
  return {
    ...(types.every((type) => type !== undefined) && { type: [...new Set(types.flat())] }),
    ...merged(
      parts.map(({ properties, items }) => ({ ...(properties && { properties }), ...(items && { items }) })),
    ),
    required,
  };
}
