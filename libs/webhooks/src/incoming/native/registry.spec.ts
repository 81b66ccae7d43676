import { readMessage } from '../read-message.js';
import { Payload } from '../message/payload.js';
import grafana from './grafana/bodies.json' with { type: 'json' };
import kuma from './uptime-kuma/bodies.json' with { type: 'json' };
import { asResolved } from './parts/native-format.js';
import { FORMATS, nativeFormatOf } from './registry.js';
import { shown } from './testing/format-tests.js';
import { recordedBodies, sendersWith } from './testing/recorded-bodies.js';

describe('every sender', () => {
  const senders = sendersWith('format.ts');

  test.each(senders)('%s: is registered and has recorded bodies and tests', async (sender) => {
    const formats = Object.values((await import(`./${sender}/format.js`)) as object);
    expect(FORMATS.some((format) => formats.includes(format))).toBe(true);
    for (const file of ['bodies.json', 'format.spec.ts']) expect(sendersWith(file)).toContain(sender);
  });

  test.each(recordedBodies())(
    '%s: its bodies are not mistaken for those of another',
    async (sender, bodies) => {
      const formats = Object.values((await import(`./${sender}/format.js`)) as object);
      for (const [name, body] of Object.entries(bodies))
        expect([name, formats.includes(nativeFormatOf(new Payload(body)))]).toEqual([name, true]);
    },
  );
});

test.each([
  ['CPU is high', '[RESOLVED] CPU is high'],
  ['Resolved: CPU', 'Resolved: CPU'],
  ['```\ncode\n```', '[RESOLVED]\n```\ncode\n```'],
  ['> quote', '[RESOLVED]\n> quote'],
])('marks a text as resolved: %j', (text, resolved) => {
  expect(asResolved(text)).toBe(resolved);
});

test.each<[string, object]>([
  ['Uptime Kuma', { heartbeat: 60, monitor: 'cpu' }],
  ['Uptime Kuma, without its message', { heartbeat: null, monitor: null }],
  ['Alertmanager', { alerts: ['disk full'], status: 'firing' }],
  ['Sentry', { action: 'created', data: { event: 'x', issue: 7 } }],
])('does not mistake another body with the keys of %s for it', (_what, body) => {
  expect(readMessage(body)).toMatchObject({ ok: false, reason: expect.stringContaining('unknown format') });
});

test('a body in a documented format is read as such, even with fields of a native one', () => {
  expect(shown({ ...kuma.firing, text: 'mine' }).lines).toEqual(['mine']);
  expect(shown({ ...grafana.firing, message: { content: 'mine' } }).lines).toEqual(['mine']);
});

test.each<[string, object, string]>([
  ['no keys', {}, 'unknown format: keys none'],
  ['its keys', { hello: 1, message: 'x' }, 'unknown format: keys hello, message'],
  [
    'many keys, long ones',
    Object.fromEntries(Array.from({ length: 30 }, (_none, n) => [`${'k'.repeat(50)}${n}`, 1])),
    `unknown format: keys ${Array.from({ length: 20 }, () => 'k'.repeat(40)).join(', ')}, … (30)`,
  ],
])('rejects an unknown format: %s', (_what, body, reason) => {
  expect(readMessage(body)).toEqual({ ok: false, reason });
});
