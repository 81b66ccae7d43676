type Schema = Record<string, any>;

/** Returns a deterministic generator of numbers in [0, 1) for a seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const TEXTS = [
  ...['', 'a', ' ', '\0', '\ud800', '💥'.repeat(50), 'x'.repeat(5000), 'x'.repeat(70_000)],
  ...['../../etc', '%00', 'null', '-1', '1e999', '__proto__', 'constructor', 'toString', '{}', '[]'],
  ...['2026-02-30T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-01-01T00:00:00+23:59', '22:00'],
  ...['https://example.com/', 'http://[::1]:99999/', 'javascript:1', 'Europe/Berlin', '{"kind":"agent_run"}'],
  ...['/poll "a" "b" "c"', '/remind me in 99999999999m x', '/remind me at 9999-12-31 23:59 x'],
];
const NUMBERS = [0, -1, 1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 199, 200, 201];
const KEYS = ['a', 'id', 'text', 'type', '__proto__', 'constructor', 'blocks', 'value'];
const UNREADABLE: (string | Buffer)[] = [
  ...['', '{', '[1]', '"x"', '{"a":1}x', '{"__proto__":{"x":1}}', '{"a":1e9999}', '{"text":"\\ud800"}'],
  ...[Buffer.from('7b2261223a22ff227d', 'hex'), Buffer.from('\ufeff{"a":1}', 'utf16le'), '\ufeff{}'],
  `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
];

const CONTENT_TYPES = [
  ...['application/json; charset=utf-16', 'text/plain', 'application/x-www-form-urlencoded', 'x', ''],
  ...['multipart/form-data; boundary=x', 'application/json;charset="', '__proto__/constructor'],
];
/** Path segments that cannot be decoded or have a special meaning. */
const SEGMENTS = ['%ff', '%zz', '%', '%2e%2e%2f', '..;', '%00', '%c0%ae', '?', '#'];

/** Generates requests that an operation does not expect, from its OpenAPI description. */
export class Cases {
  constructor(
    private readonly random: () => number,
    private readonly document: Schema,
    private readonly ids: readonly string[],
  ) {}

  /** Returns true with this probability, 0 to 1. */
  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }

  text(max = 70_000): string {
    return this.pick(TEXTS).slice(0, max).toWellFormed();
  }

  /** Returns a value for a query parameter. */
  parameter(schema: Schema): string {
    return String(this.chance(0.5) ? this.fitting(schema) : this.pick([...NUMBERS, this.text(500)]));
  }

  contentType(): string {
    return this.chance(0.9) ? 'application/json' : this.pick(CONTENT_TYPES);
  }

  /** Returns a path segment in place of an id. */
  segment(): string {
    return this.chance(0.3) ? this.pick(SEGMENTS) : encodeURIComponent(this.text(300) || 'x');
  }

  /** Returns the bytes of a body: a valid one with some changed parts, or unreadable bytes. */
  body(schema: Schema): string | Buffer {
    if (this.chance(0.04)) return this.pick(UNREADABLE);
    const fitting = this.fitting(schema);
    return JSON.stringify(this.chance(0.4) ? fitting : this.changed(fitting)) ?? '';
  }

  private changed(value: unknown): unknown {
    if (this.chance(0.15) || typeof value !== 'object' || value === null) return this.anything(3);
    const body = value as Record<string, unknown>;
    const keys = Object.keys(body);
    for (let left = keys.length === 0 ? 0 : this.pick([0, 1, 1, 2, 3]); left > 0; left -= 1) {
      const key = this.pick(keys);
      const isDeeper = typeof body[key] === 'object' && this.chance(0.4);
      body[key] = isDeeper ? this.changed(body[key]) : this.anything(3);
    }
    return body;
  }

  private anything(depth: number): unknown {
    const makers: (() => unknown)[] = [
      () => this.pick(TEXTS),
      () => this.pick(NUMBERS),
      () => this.pick(this.ids),
      () => this.pick([true, false, null]),
    ];
    if (depth > 0)
      makers.push(
        () => Array.from({ length: this.pick([0, 1, 2, 60]) }, () => this.anything(depth - 1)),
        () => this.object(depth - 1),
      );
    return this.pick(makers)();
  }

  private object(depth: number): object {
    const value: object = {};
    for (const key of [this.pick(KEYS), this.pick(KEYS)])
      Object.defineProperty(value, key, {
        value: this.anything(depth),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    return value;
  }

  private fitting(given: Schema | undefined, depth = 4): unknown {
    const schema = this.resolved(given);
    const variants = (schema.oneOf ?? schema.anyOf ?? schema.allOf) as Schema[] | undefined;
    if (variants) return this.fitting(this.pick(variants), depth);
    if (schema.example !== undefined && this.chance(0.5)) return structuredClone(schema.example);
    if (schema.enum) return this.pick(schema.enum as unknown[]);
    const type = Array.isArray(schema.type) ? this.pick(schema.type as string[]) : (schema.type as string);
    if (type === 'null') return null;
    if (type === 'array') return depth > 0 ? [this.fitting(schema.items as Schema, depth - 1)] : [];
    if (schema.properties) return this.fittingObject(schema.properties as Record<string, Schema>, depth);
    if (type === 'boolean') return this.chance(0.5);
    if (type === 'integer' || type === 'number')
      return this.pick([1, 2, schema.minimum ?? 0, schema.maximum ?? 100]);
    return schema.format === 'uuid' ? this.pick(this.ids) : this.anyText();
  }

  private anyText(): string {
    return this.chance(0.5)
      ? this.pick(['hello', 'HELLO', 'https://example.com/'])
      : this.pick([...TEXTS, ...this.ids]);
  }

  private fittingObject(properties: Record<string, Schema>, depth: number): object {
    const given = Object.entries(properties).filter(() => this.chance(0.85));
    return Object.fromEntries(
      given.map(([key, schema]) => [
        key,
        /(^|_)id$/.test(key) ? this.pick(this.ids) : this.fitting(schema, depth - 1),
      ]),
    );
  }

  private resolved(schema: Schema | undefined): Schema {
    if (typeof schema?.$ref !== 'string') return schema ?? {};
    const path = schema.$ref.split('/').slice(1);
    return this.resolved(path.reduce<Schema>((part, key) => part[key] as Schema, this.document));
  }
}
