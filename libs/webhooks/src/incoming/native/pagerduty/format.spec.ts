import { createHmac } from 'node:crypto';
import { shown, testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };
import { PAGERDUTY } from './format.js';

const INCIDENT = 'https://acme.pagerduty.com/incidents/PGR0VU2';
const TITLE = String.raw`Disk of \*db1\* is full \@channel`;

testMessages([
  [
    'a triggered incident',
    bodies.firing,
    [`Incident #2 triggered: ${TITLE}`, 'Database, priority P1, assigned to Ann'],
    'critical',
    INCIDENT,
  ],
  [
    'an acknowledged incident',
    bodies.acknowledged,
    [`Incident #2 acknowledged by Ann: ${TITLE}`, 'Database, priority P1, assigned to Ann'],
    'info',
    INCIDENT,
  ],
  [
    'a resolved incident',
    bodies.resolved,
    [`Incident #2 resolved by Ann: ${TITLE}`, 'Database, priority P1'],
    'info',
    INCIDENT,
  ],
  [
    'a note',
    bodies.annotated,
    ['Incident annotated by Ann: [#2] Disk of db1 is full', String.raw`Deleted \*old\* logs`],
    'info',
    INCIDENT,
  ],
  [
    'an updated service',
    bodies.service,
    ['Service updated by Ann: Database'],
    'info',
    'https://acme.pagerduty.com/services/PF9KMXH',
  ],
  [
    'a test from PagerDuty',
    bodies.ping,
    ['PagerDuty is connected', 'Hello from your friend Pagey!'],
    'info',
    undefined,
  ],
]);

testKeys([
  ['a triggered incident opens an alert', bodies.firing, { dedupKey: 'pagerduty:PGR0VU2', resolved: false }],
  [
    'an acknowledged one leaves it open',
    bodies.acknowledged,
    { dedupKey: 'pagerduty:PGR0VU2', resolved: false },
  ],
  ['a resolved one closes it', bodies.resolved, { dedupKey: 'pagerduty:PGR0VU2', resolved: true }],
  ['a note has none', bodies.annotated, {}],
  ['a service has none', bodies.service, {}],
]);

test('an incident of low urgency is a warning', () => {
  const { event } = bodies.firing;
  expect(shown({ event: { ...event, data: { ...event.data, urgency: 'low' } } }).severity).toBe('warning');
});

describe('signature', () => {
  const body = Buffer.from(JSON.stringify(bodies.firing));
  const signed = (secret: string): string => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const match = (header: string, sent = body): object | undefined =>
    PAGERDUTY.signature?.({ 'x-pagerduty-signature': header })?.match('secret', sent);

  test('one of the listed signatures must match, and it alone identifies the request', () => {
    const digest = Buffer.from(signed('secret').slice(3), 'hex');
    for (const header of [signed('secret'), `${signed('old')},${signed('secret')}`])
      expect(match(header)).toEqual({ digest });
  });

  test.each<[string, string]>([
    ['another secret', signed('old')],
    ['another version', signed('secret').replace('v1', 'v2')],
    ['no version', signed('secret').slice(3)],
    ['a fifth signature', [...Array.from({ length: 4 }, () => signed('old')), signed('secret')].join(',')],
  ])('%s is rejected', (_what, header) => expect(match(header)).toBeUndefined());

  test('a signature of another body is rejected', () => {
    expect(match(signed('secret'), Buffer.from('{}'))).toBeUndefined();
  });
});
