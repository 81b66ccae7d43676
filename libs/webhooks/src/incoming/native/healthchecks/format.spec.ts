import { keysOf, testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'healthchecks.io: down, without a link to the ping address',
    bodies.firing,
    [
      'Nightly backup is DOWN',
      'dumps of all databases',
      'tags: prod db last ping: 2026-11-21T02:00:00+00:00',
    ],
    'critical',
    undefined,
  ],
  [
    'healthchecks.io: up, by a template',
    bodies.template,
    ['[RESOLVED] Nightly backup is UP'],
    'info',
    undefined,
  ],
]);

testKeys([
  ['healthchecks.io, up', bodies.template, { dedupKey: 'healthchecks:803f680d', resolved: true }],
  ['a paused check has none', { ...bodies.template, status: 'paused' }, {}],
]);

test('healthchecks.io: the ping address is stored only as a hash', () => {
  expect(keysOf(bodies.firing)).toEqual({
    dedupKey: expect.stringMatching(/^healthchecks:[0-9a-f]{64}$/),
    resolved: false,
  });
});
