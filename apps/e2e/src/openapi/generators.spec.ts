import { committed } from './committed.js';

/*
 * Rules that keep the document usable for client generators. Each exists because generated code did
 * not compile or run. docs/clients.md names the generators.
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

/** Returns every object of both documents outside of examples, with its place. */
const everything = [...within(api, ''), ...within(webhooks, 'webhooks')];

function* within(value: unknown, place: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null || /\/(example|examples|default)$/.test(place)) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, one] of Object.entries(value)) yield* within(one, `${place}/${key}`);
}

test('every alternative of anyOf and oneOf is a named schema or null', () => {
  const nameless = everything.flatMap(([place, { anyOf = [], oneOf = [] }]) =>
    [...anyOf, ...oneOf].some((one: Json) => one.$ref === undefined && one.type !== 'null') ? [place] : [],
  );
  expect(nameless).toEqual([]);
});

// Java has no name for a map: `TypeAdapter<Map<String, Object>> adapterMap<String, Object>`.
test('no alternative is a map or a named list', () => {
  const alternatives = everything.flatMap(([, { anyOf = [], oneOf = [] }]) =>
    [...anyOf, ...oneOf].flatMap(({ $ref }: Json) => ($ref as string | undefined)?.split('/').at(-1) ?? []),
  );
  const all = { ...webhooks.components.schemas, ...schemas } as Record<string, Json>;
  expect(alternatives.filter((name) => !all[name]?.properties)).toEqual([]);
});

test('no boolean is a constant', () => {
  const constant = everything.filter(
    ([, { type, enum: values, const: value }]) =>
      typeof value === 'boolean' || ([type].flat().includes('boolean') && values),
  );
  expect(constant.map(([place]) => place)).toEqual([]);
});

// Go generators use `NewX`, `NullableX`, `XWithDefaults` and `ApiXRequest`.
test('no schema name conflicts with names that generators derive', () => {
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

test('a default is not combined with a nullable enum', () => {
  const both = everything.filter(
    ([, { enum: values, default: value }]) => value !== undefined && values?.includes(null),
  );
  expect(both.map(([place]) => place)).toEqual([]);
});

test('every operation has one tag, descriptive parameters and declared security', () => {
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

test('outgoing requests are in a separate document', () => {
  expect(api.webhooks).toBeUndefined();
  expect(Object.keys(webhooks.webhooks as object).length).toBeGreaterThan(10);
  const used = [...within(webhooks, '')].flatMap(
    ([, { $ref }]) => ($ref as string | undefined)?.split('/').at(-1) ?? [],
  );
  expect(Object.keys(webhooks.components.schemas as object).sort()).toEqual([...new Set(used)].sort());
  for (const name of used) expect(webhooks.components.schemas[name]).toEqual(schemas[name]);
});

test('a form body has no named schema, which generators import but do not generate', () => {
  const forms = operations.flatMap(({ name, requestBody }: Json) =>
    Object.entries<Json>(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      /form/.test(type) && (schema.$ref || schema.properties) ? [`${name} ${type}`] : [],
    ),
  );
  expect(forms).toEqual([]);
});

test('ids, cursors and keys in parameters declare their format', () => {
  const formless = operations.flatMap(({ name, parameters = [] }: Json) =>
    parameters
      .filter((one: Json) => one.in === 'path' || one.in === 'query' || one.name === 'Idempotency-Key')
      .filter(
        (one: Json) =>
          /(^|_)id$|^cursor$|^Idempotency-Key$/.test(one.name) && !one.schema.format && !one.schema.pattern,
      )
      .map((one: Json) => `${name}: ${one.name}`),
  );
  // Ids that other systems choose, or that can also be a name.
  const free =
    /^(POST \/hooks\/|POST \/services\/|\w+ \/api\/v1\/webhooks\/incoming\/|\w+ \/api\/v1\/bots\/\{bot_id\}\/commands\/)/;
  expect(formless.filter((one) => !free.test(one))).toEqual([]);
});

test('keys and ids in bodies declare their format', () => {
  // Texts that a bot chooses; a trigger id is signed or, from a command, the id of a row.
  const free = ['action_id', 'block_id', 'callback_id', 'external_id', 'option_id', 'trigger_id'];
  const formless = Object.entries(schemas)
    .filter(([name]) => name.endsWith('Dto'))
    .flatMap(([name, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(
          ([field, { format, pattern }]) =>
            /_id$|^idempotency_key$/.test(field) && !free.includes(field) && !format && !pattern,
        )
        .map(([field]) => `${name}.${field}`),
    );
  expect(formless).toEqual([]);
});
