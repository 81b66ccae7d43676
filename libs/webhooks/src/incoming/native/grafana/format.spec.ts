import { shown, testKeys } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testKeys([
  ['Grafana', bodies.firing, { dedupKey: 'grafana:{}:{alertname="High memory"}', resolved: false }],
  [
    'Grafana, resolved',
    bodies.resolved,
    { dedupKey: 'grafana:{}:{alertname="High memory"}', resolved: true },
  ],
]);

describe('Grafana', () => {
  test('firing: shows title, alerts and values, and omits the stock message', () => {
    expect(shown(bodies.firing)).toMatchObject({
      severity: 'warning',
      lines: [
        '[FIRING:1] High memory (ops blue)',
        '• The system has high memory usage',
        'alertname=High memory, grafana_folder=ops, team=blue',
        'values: B=44.23, C=1',
      ],
    });
    expect(shown(bodies.firing).buttons).toEqual([
      { text: 'Source', url: 'https://grafana.example/alerting/grafana/f1/view?orgId=1' },
      { text: 'Silence', url: 'https://grafana.example/alerting/silence/new?alertmanager=grafana' },
      { text: 'Grafana', url: 'https://grafana.example/' },
    ]);
  });

  test('resolved, with a custom message', () => {
    expect(shown(bodies.resolved).severity).toBe('info');
    expect(shown(bodies.resolved).lines.slice(0, 2)).toEqual([
      '[RESOLVED] Memory is fine',
      'written by hand',
    ]);
  });

  test('before version 9', () => {
    expect(shown(bodies.legacy)).toMatchObject({
      severity: 'warning',
      lines: [
        '[Alerting] Test rule',
        'Someone is testing',
        'High value: 100',
        'Open: http://localhost:3000/',
      ],
    });
    const over = shown({ ...bodies.legacy, state: 'ok', title: '[OK] Test rule' });
    expect(over.severity).toBe('info');
    expect(over.lines[0]).toMatch(/^\[RESOLVED\] /);
  });
});

test('alerts that the sender truncated are counted (alertmanager#2274)', () => {
  expect(shown({ ...bodies.firing, truncatedAlerts: 98 })).toMatchObject({
    lines: expect.arrayContaining(['… and 98 more']),
  });
});
