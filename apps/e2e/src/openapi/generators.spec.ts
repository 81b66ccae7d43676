import { committed } from './committed.js';

/*
 * Rules that keep the document usable for generators of clients, each after code that did not
 * compile or did not run. docs/clients.md names the generators.
 */

type Json = Record<string, any>;

const { api, webhooks } = committed() as unknown as { api: Json; webhooks: Json };
const schemas = api.components.schemas as Record<string, Json>;
const operations = Object.entries(api.paths as Record<string, Record<string, Json>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) => ({ name: `${method.toUpperCase()} ${path}`, ...one }) as Json,
    ),
);

/** Every object of both documents outside of examples, with its place. */
const everything = [...within(api, ''), ...within(webhooks, 'webhooks')];

function* within(value: unknown, place: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null || /\/(example|examples|default)$/.test(place)) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, one] of Object.entries(value)) yield* within(one, `${place}/${key}`);
}

test('every alternative of anyOf and oneOf is a named schema, or null', () => {
  const nameless = everything.flatMap(([place, { anyOf = [], oneOf = [] }]) =>
    [...anyOf, ...oneOf].some((one: Json) => one.$ref === undefined && one.type !== 'null') ? [place] : [],
  );
  expect(nameless).toEqual([]);
});

// A map has no name of its own in Java: `TypeAdapter<Map<String, Object>> adapterMap<String,
// Object>`.
test('no alternative is a map or a list of another name', () => {
  const alternatives = everything.flatMap(([, { anyOf = [], oneOf = [] }]) =>
    [...anyOf, ...oneOf].flatMap(({ $ref }: Json) => ($ref as string | undefined)?.split('/').at(-1) ?? []),
  );
  const all = { ...webhooks.components.schemas, ...schemas } as Record<string, Json>;
  expect(alternatives.filter((name) => !all[name]?.properties)).toEqual([]);
});

test('no truth value is a constant', () => {
  const constant = everything.filter(
    ([, { type, enum: values, const: value }]) =>
      typeof value === 'boolean' || ([type].flat().includes('boolean') && values),
  );
  expect(constant.map(([place]) => place)).toEqual([]);
});

// Each is `NewX`, `NullableX`, `XWithDefaults` or `ApiXRequest` in Go.
test('no schema is called as generators call what they make of another', () => {
  const requests = operations.flatMap(({ operationId: id }: Json) => {
    const name = id[0].toUpperCase() + id.slice(1);
    return [`${name}Request`, `Api${name}Request`];
  });
  const names = Object.keys(schemas);
  expect(
    names.filter((name) => /^(New|Nullable)[A-Z]|WithDefaults$/.test(name) || requests.includes(name)),
  ).toEqual([]);
  const folded = names.map((name) => name.toLowerCase());
  expect(names.filter((name, index) => folded.indexOf(name.toLowerCase()) !== index)).toEqual([]);
});

test('a default does not stand beside values of which one is null', () => {
  const both = everything.filter(
    ([, { enum: values, default: value }]) => value !== undefined && values?.includes(null),
  );
  expect(both.map(([place]) => place)).toEqual([]);
});

test('every operation has one tag, speaking parameters, and says whose token it takes, or nobody’s', () => {
  for (const { name, tags, security, parameters = [] } of operations) {
    expect([name, tags.length]).toEqual([name, 1]);
    expect([name, Array.isArray(security) && !security.some((one) => Object.keys(one).length === 0)]).toEqual(
      [name, true],
    );
    const short = parameters.filter(
      (one: Json) => one.in === 'path' && !/^([a-z]+_)*[a-z]{2,}$/.test(one.name),
    );
    expect([name, short]).toEqual([name, []]);
  }
});

test('what is sent to others stands in a document of its own', () => {
  expect(api.webhooks).toBeUndefined();
  expect(Object.keys(webhooks.webhooks as object).length).toBeGreaterThan(10);
  const used = [...within(webhooks, '')].flatMap(
    ([, { $ref }]) => ($ref as string | undefined)?.split('/').at(-1) ?? [],
  );
  expect(Object.keys(webhooks.components.schemas as object).sort()).toEqual([...new Set(used)].sort());
  for (const name of used) expect(webhooks.components.schemas[name]).toEqual(schemas[name]);
});

test('a form has no class of its own, which generators import and do not write', () => {
  const forms = operations.flatMap(({ name, requestBody }: Json) =>
    Object.entries<Json>(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      /form/.test(type) && (schema.$ref || schema.properties) ? [`${name} ${type}`] : [],
    ),
  );
  expect(forms).toEqual([]);
});

test('ids, cursors and keys in parameters say their form', () => {
  const formless = operations.flatMap(({ name, parameters = [] }: Json) =>
    parameters
      .filter((one: Json) => one.in === 'path' || one.in === 'query' || one.name === 'Idempotency-Key')
      .filter(
        (one: Json) =>
          /(^|_)id$|^cursor$|^Idempotency-Key$/.test(one.name) && !one.schema.format && !one.schema.pattern,
      )
      .map((one: Json) => `${name}: ${one.name}`),
  );
  // Ids that strangers choose, or that may be a name.
  const free =
    /^(POST \/hooks\/|POST \/services\/|\w+ \/api\/v1\/webhooks\/incoming\/|\w+ \/api\/v1\/bots\/\{bot_id\}\/commands\/)/;
  expect(formless.filter((one) => !free.test(one))).toEqual([]);
});

test('keys and ids in bodies say their form', () => {
  const formless = Object.entries(schemas)
    .filter(([name]) => name.endsWith('Dto'))
    .flatMap(([name, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(
          ([field, { format, pattern }]) =>
            /_id$|^idempotency_key$/.test(field) && field !== 'action_id' && !format && !pattern,
        )
        .map(([field]) => `${name}.${field}`),
    );
  expect(formless).toEqual([]);
});
