import { committed } from './committed.js';

type Json = Record<string, any>;

const { api: document, webhooks } = committed() as unknown as { api: Json; webhooks: Json };
const schemas = document.components.schemas as Record<string, Json>;

/** Returns every nested object with its place. */
function* within(value: unknown, place: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null || /\.(example|examples|default)$/.test(place)) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, one] of Object.entries(value)) yield* within(one, `${place}.${key}`);
}

test('every object declares its properties or allows any', () => {
  const silent = [...within(document, '')].filter(
    ([, { type, properties, additionalProperties }]) =>
      [type].flat().includes('object') && !properties && !additionalProperties,
  );
  expect(silent.map(([place]) => place)).toEqual([]);
});

test('every response declares its required fields', () => {
  const answers = Object.keys(schemas).filter((name) => !/Dto$/.test(name) && schemas[name]?.properties);
  expect(answers.filter((name) => !schemas[name]?.required?.length)).toEqual([]);
});

test('every field has a type or alternatives', () => {
  const untyped = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Record<string, Json>)
      .filter(([, { type, $ref, allOf, anyOf, oneOf }]) => !(type ?? $ref ?? allOf ?? anyOf ?? oneOf))
      .map(([field]) => `${name}.${field}`),
  );
  expect(untyped).toEqual([]);
});

test('every reference resolves, and every named schema is used', () => {
  const named = [...within(document, '')].flatMap(([, { $ref }]) =>
    typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : [],
  );
  expect(named.filter((name) => !(name in schemas))).toEqual([]);
  const unused = Object.keys(schemas).filter((name) => !named.includes(name));
  // Schemas of the socket, of the text in `metadata_json` and of outgoing requests.
  const elsewhere = Object.keys(webhooks.components.schemas as object);
  expect(
    unused.filter((name) => !/^(Socket|(Context)?ActionsBlockDto$)/.test(name) && !elsewhere.includes(name)),
  ).toEqual([]);
});

test('it is independent of where it was generated: no local address and no unknown kind of token', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/bearerFormat|"nullable"|127\.0\.0\.1/);
  const { cookieAuth: _, operatorCookieAuth: __, ...tokens } = document.components.securitySchemes;
  expect(Object.keys(tokens)).toEqual(['token']);
});
