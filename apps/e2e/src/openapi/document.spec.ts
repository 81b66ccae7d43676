import { committed } from './committed.js';

type Json = Record<string, any>;

const { api: document, webhooks } = committed() as unknown as { api: Json; webhooks: Json };
const schemas = document.components.schemas as Record<string, Json>;

/** Every object below, with its place. */
function* within(value: unknown, place: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null || /\.(example|examples|default)$/.test(place)) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, one] of Object.entries(value)) yield* within(one, `${place}.${key}`);
}

test('an object says what it holds, or that it may hold anything', () => {
  const silent = [...within(document, '')].filter(
    ([, { type, properties, additionalProperties }]) =>
      [type].flat().includes('object') && !properties && !additionalProperties,
  );
  expect(silent.map(([place]) => place)).toEqual([]);
});

test('every answer says which of its fields are always there', () => {
  const answers = Object.keys(schemas).filter((name) => !/Dto$/.test(name) && schemas[name]?.properties);
  expect(answers.filter((name) => !schemas[name]?.required?.length)).toEqual([]);
});

test('every field has a type, or is one of several', () => {
  const untyped = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Record<string, Json>)
      .filter(([, { type, $ref, allOf, anyOf, oneOf }]) => !(type ?? $ref ?? allOf ?? anyOf ?? oneOf))
      .map(([field]) => `${name}.${field}`),
  );
  expect(untyped).toEqual([]);
});

test('every reference leads somewhere, and every named schema is used', () => {
  const named = [...within(document, '')].flatMap(([, { $ref }]) =>
    typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : [],
  );
  expect(named.filter((name) => !(name in schemas))).toEqual([]);
  const unused = Object.keys(schemas).filter((name) => !named.includes(name));
  // What goes over a socket, what is within the text of `metadata_json`, and what is sent to
  // receivers.
  const elsewhere = Object.keys(webhooks.components.schemas as object);
  expect(
    unused.filter((name) => !/^(Socket|ActionsBlockDto$)/.test(name) && !elsewhere.includes(name)),
  ).toEqual([]);
});

test('it is right wherever it is read: no address of a run, no kind of token that there is none of', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/bearerFormat|"nullable"|127\.0\.0\.1/);
  const { cookieAuth: _, operatorCookieAuth: __, ...tokens } = document.components.securitySchemes;
  expect(Object.keys(tokens)).toEqual(['token']);
});
