import fc from 'fast-check';
import { readMessage } from '../read-message.js';
import { readPlainText } from './read-native.js';
import { recordedBodies } from './testing/recorded-bodies.js';

const BODIES = recordedBodies().flatMap(([, bodies]) => Object.values(bodies));
const MAX_BYTES = 32 * 1024;

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    true,
    [],
    {},
    [null],
    [[]],
    [{}],
    { length: 7 },
    '<b>x</b>',
    'http://',
    'https://',
    '@channel',
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(10_000),
    Array.from({ length: 5000 }, () => ({ status: 'firing', id: 'x' })),
    1e308,
  ),
);

/** Returns a copy of a body with some fields replaced. */
function spoilt(value: unknown, pick: (path: string) => unknown, path = ''): unknown {
  const other = pick(path);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((item, index) => spoilt(item, pick, `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, spoilt(part, pick, `${path}.${key}`)]),
  );
}

function placesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, `${path}.${key}`))];
}

/** Whether the parsed message stays within the limits. */
function keepsLimits(body: unknown): boolean {
  const parsed = readMessage(body);
  if (!parsed.ok) return parsed.reason.length <= 1000;
  const { text, metadata } = parsed.message;
  return [...text].length <= 4000 && Buffer.byteLength(JSON.stringify(metadata ?? {})) <= MAX_BYTES;
}

test('any field may be missing, null, of another type, huge or HTML', () => {
  for (const body of BODIES)
    for (const place of placesOf(body).slice(1))
      for (const other of [
        null,
        '',
        7,
        [],
        {},
        [null],
        'x'.repeat(5000),
        '<img src=x>',
        { toString: 1, __proto__: null },
      ])
        expect([place, keepsLimits(spoilt(body, (path) => (path === place ? other : undefined)))]).toEqual([
          place,
          true,
        ]);
});

test('several fields together', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BODIES),
      fc.array(fc.tuple(fc.nat(), strange), { maxLength: 6 }),
      (body, changes) => {
        const places = placesOf(body).slice(1);
        const others = new Map(changes.map(([at, other]) => [places[at % places.length], other]));
        return keepsLimits(spoilt(body, (path) => others.get(path)));
      },
    ),
    { numRuns: 500 },
  );
});

test('prototype names are ordinary names', () => {
  const body = JSON.parse(
    '{"__proto__": {"object_kind": "push"}, "constructor": 1, "alerts": [], "status": "firing"}',
  ) as object;
  expect(readMessage(body)).toMatchObject({ ok: true });
  expect(readMessage(JSON.parse('{"__proto__": {"object_kind": "push"}}'))).toEqual({
    ok: false,
    reason: 'unknown format: keys __proto__',
  });
});

test('plain text is taken literally', () => {
  expect(readPlainText('*disk* &amp; <!channel> @here\n{"text": "x"}')).toEqual({
    ok: true,
    message: {
      text: '\\*disk\\* \\&amp; <!channel> \\@here\n{"text": "x"}',
      metadata: { severity: 'warning' },
      severity: 'warning',
      mentions: [],
      mentionsChannel: false,
      mentionsHere: false,
      notes: [],
    },
  });
  expect(readPlainText(' \n')).toEqual({ ok: false, reason: 'nothing to show' });
  expect(readPlainText('😀'.repeat(5000))).toMatchObject({ message: { text: `${'😀'.repeat(3999)}…` } });
});
