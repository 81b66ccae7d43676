import { readMessage } from '../../read-message.js';
import { keysOf, shown, testKeys } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testKeys([
  ['Alertmanager', bodies.firing, { dedupKey: 'alertmanager:{}:{alertname="HighCPU"}', resolved: false }],
  [
    'Alertmanager, resolved',
    bodies.resolved,
    { dedupKey: 'alertmanager:{}:{alertname="HighCPU"}', resolved: true },
  ],
  ['a group of alerts without a key has none', { ...bodies.firing, groupKey: '' }, {}],
]);

describe('Prometheus alerts', () => {
  test('the most severe firing alert sets the severity, all alerts are listed, HTTP addresses stay in the text', () => {
    const message = shown(bodies.firing);
    expect(message.severity).toBe('critical');
    expect(message.lines.slice(0, 4)).toEqual([
      '[FIRING:2] HighCPU',
      '• CPU of db1 over 90%',
      String.raw`since \*ten\* minutes <!channel>`,
      'alertname=HighCPU, instance=web1:9100, severity=warning',
    ]);
    expect(message.lines).toContain('• resolved: CPU of db1 over 90%');
    expect(message.lines.at(-1)).toBe('Source: http://prometheus:9090/graph?g0.expr=cpu');
    expect(message.buttons).toEqual([
      { text: 'Alertmanager', url: 'https://am.example' },
      { text: 'Runbook', url: 'https://rb.example/cpu' },
    ]);
  });

  test('resolved alerts are marked and have severity info', () => {
    expect(shown(bodies.resolved).lines[0]).toBe('[RESOLVED] HighCPU');
    expect(readMessage(bodies.resolved)).toMatchObject({
      message: { severity: 'info', metadata: { severity: 'info' } },
    });
  });

  test('a missing or unknown severity label means warning', () => {
    const [alert] = bodies.firing.alerts;
    const labelled = (severity?: string): object => ({
      ...bodies.firing,
      alerts: [{ ...alert, labels: { alertname: 'a', ...(severity !== undefined && { severity }) } }],
    });
    expect(['info', 'page', undefined].map((word) => shown(labelled(word)).severity)).toEqual([
      'info',
      'warning',
      'warning',
    ]);
  });

  test.each<[string, object, string]>([
    ['no alerts', { ...bodies.firing, alerts: [] }, 'warning'],
    ['no alerts, resolved', { ...bodies.resolved, alerts: [] }, 'info'],
    [
      'only a status',
      { status: 'firing', alerts: [{ labels: { alertname: 'a', severity: 'error' } }] },
      'critical',
    ],
  ])('%s', (_what, body, severity) => {
    expect(shown(body).severity).toBe(severity);
    expect(shown(body).lines[0]).toMatch(/\S/);
  });
});

test('alerts that the sender truncated are counted (alertmanager#2274)', () => {
  expect(shown({ ...bodies.firing, truncatedAlerts: 98 })).toMatchObject({
    lines: expect.arrayContaining(['… and 98 more']),
  });
});

test('a huge list of alerts is cut, and the request log notes it', () => {
  const [alert] = bodies.firing.alerts;
  const parsed = readMessage({ ...bodies.firing, alerts: Array.from({ length: 2000 }, () => alert) });
  expect(parsed).toMatchObject({
    ok: true,
    message: { notes: [expect.stringMatching(/^text: cut at 4000 of \d+ characters$/)] },
  });
});

test('a long key is hashed, and equal keys stay equal', () => {
  const long = { ...bodies.firing, groupKey: `{}:{instance="${'x'.repeat(200)}"}` };
  expect(keysOf(long).dedupKey).toMatch(/^alertmanager:[0-9a-f]{64}$/);
  expect(keysOf(long)).toEqual(keysOf({ ...long }));
  expect(keysOf(long).dedupKey).not.toBe(keysOf({ ...long, groupKey: `${long.groupKey}x` }).dedupKey);
});
