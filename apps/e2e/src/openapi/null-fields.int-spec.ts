import { shareTieline } from '../share-tieline.js';
import type { Tieline } from '../tieline.js';
import { prepareExample } from './examples.js';
import type { PreparedExample } from './examples.js';
import { ExamplesScene } from './examples-scene.js';
import { jsonBodies } from './json-bodies.js';
import type { JsonBody } from './json-bodies.js';

type Path = (string | number)[];

let tieline: Tieline;
let scene: ExamplesScene;
beforeAll(async () => {
  const shared = await shareTieline();
  ({ tieline } = shared);
  scene = await ExamplesScene.furnish(shared.api, await tieline.receiver());
});
afterAll(() => tieline?.close());

const bodies = jsonBodies().map(
  (body) => [body.example.operationId, body.exampleName, body] as [string, string, JsonBody],
);

test('most operations with a body are covered', () => {
  expect(new Set(bodies.map(([operationId]) => operationId)).size).toBeGreaterThan(60);
});

test.each(bodies)(
  '%s (%s) handles null in every field as documented',
  async (_, _name, { example, schema, documented }) => {
    let prepared = (await prepareExample(scene, example)) as PreparedExample;
    const problems: unknown[] = [];
    const paths = new Map(
      [...Object.keys(schema.properties ?? {}).map((field) => [field]), ...pathsIn(example.value)].map(
        (path) => [path.join('.'), path] as const,
      ),
    );
    for (const [name, path] of paths) {
      const body = withNull(JSON.parse(prepared.body), path);
      const response = await prepared.send(JSON.stringify(body));
      const answer = await response.text();
      if (response.status >= 500 || !documented.includes(response.status))
        problems.push([name, response.status, answer.slice(0, 200)]);
      // An accepted request may have used up what the example needs.
      if (response.status < 300) prepared = (await prepareExample(scene, example)) as PreparedExample;
    }
    expect(problems).toEqual([]);
  },
);

/** Returns the paths of all fields and elements of a body, including JSON inside texts. */
function pathsIn(value: unknown): Path[] {
  const inside = opened(value);
  if (typeof inside !== 'object' || inside === null) return [];
  return Object.entries(inside).flatMap(([key, one]) => {
    const step = Array.isArray(inside) ? Number(key) : key;
    return [[step], ...pathsIn(one).map((path) => [step, ...path])];
  });
}

function withNull(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return null;
  const inside = opened(value);
  if (typeof inside !== 'object' || inside === null) return null;
  const copy = (Array.isArray(inside) ? [...(inside as unknown[])] : { ...inside }) as Record<
    string | number,
    unknown
  >;
  copy[step] = withNull(copy[step], rest);
  return typeof value === 'string' ? JSON.stringify(copy) : copy;
}

/**
 * Parses texts such as `metadata_json` that contain an object or list; returns other values
 * unchanged.
 */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
