import { parseIncoming } from '../formats/formats.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import * as forges from './testing/forge-bodies.js';
import * as monitoring from './testing/monitoring-bodies.js';

function shown(body: unknown, event?: string): IncomingMessage {
  const parsed = parseIncoming(body, { event });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

const linesOf = (body: unknown): string[] => shown(body).text.split('\n');
const buttonsOf = (body: unknown): { text: string; url: string }[] | undefined =>
  (shown(body).metadata as { buttons?: { text: string; url: string }[] }).buttons;

describe('Prometheus alerts', () => {
  test('the most severe firing alert sets the severity, all alerts are listed, HTTP addresses stay in the text', () => {
    const message = shown(monitoring.ALERTMANAGER_FIRING);
    expect(message.severity).toBe('critical');
    expect(message.text.split('\n').slice(0, 4)).toEqual([
      '[FIRING:2] HighCPU',
      '• CPU of db1 over 90%',
      String.raw`since \*ten\* minutes <!channel>`,
      'alertname=HighCPU, instance=web1:9100, severity=warning',
    ]);
    expect(message.text).toContain('• resolved: CPU of db1 over 90%');
    expect(message.text).toMatch(/\nSource: http:\/\/prometheus:9090\/graph\?g0\.expr=cpu$/);
    expect(buttonsOf(monitoring.ALERTMANAGER_FIRING)).toEqual([
      { text: 'Alertmanager', url: 'https://am.example' },
      { text: 'Runbook', url: 'https://rb.example/cpu' },
    ]);
  });

  test('resolved alerts are marked and have severity info', () => {
    expect(shown(monitoring.ALERTMANAGER_RESOLVED)).toMatchObject({
      severity: 'info',
      metadata: { severity: 'info' },
      text: expect.stringMatching(/^\[RESOLVED\] HighCPU\n/),
    });
  });

  test('a missing or unknown severity label means warning', () => {
    const [alert] = monitoring.ALERTMANAGER_FIRING.alerts;
    const labelled = (severity?: string): object => ({
      ...monitoring.ALERTMANAGER_FIRING,
      alerts: [{ ...alert, labels: { alertname: 'a', ...(severity !== undefined && { severity }) } }],
    });
    expect(['info', 'page', undefined].map((word) => shown(labelled(word)).severity)).toEqual([
      'info',
      'warning',
      'warning',
    ]);
  });

  test.each<[string, object, string]>([
    ['no alerts', { ...monitoring.ALERTMANAGER_FIRING, alerts: [] }, 'warning'],
    ['no alerts, resolved', { ...monitoring.ALERTMANAGER_RESOLVED, alerts: [] }, 'info'],
    [
      'only a status',
      { status: 'firing', alerts: [{ labels: { alertname: 'a', severity: 'error' } }] },
      'critical',
    ],
  ])('%s', (_what, body, severity) => {
    expect(shown(body)).toMatchObject({ severity, text: expect.stringMatching(/\S/) });
  });
});

describe('Grafana', () => {
  test('firing: shows title, alerts and values, and omits the stock message', () => {
    expect(shown(monitoring.GRAFANA_FIRING)).toMatchObject({
      severity: 'warning',
      text: [
        '[FIRING:1] High memory (ops blue)',
        '• The system has high memory usage',
        'alertname=High memory, grafana_folder=ops, team=blue',
        'values: B=44.23, C=1',
      ].join('\n'),
    });
    expect(buttonsOf(monitoring.GRAFANA_FIRING)).toEqual([
      { text: 'Source', url: 'https://grafana.example/alerting/grafana/f1/view?orgId=1' },
      { text: 'Silence', url: 'https://grafana.example/alerting/silence/new?alertmanager=grafana' },
      { text: 'Grafana', url: 'https://grafana.example/' },
    ]);
  });

  test('resolved, with a custom message', () => {
    expect(shown(monitoring.GRAFANA_RESOLVED).severity).toBe('info');
    expect(linesOf(monitoring.GRAFANA_RESOLVED).slice(0, 2)).toEqual([
      '[RESOLVED] Memory is fine',
      'written by hand',
    ]);
  });

  test('before version 9', () => {
    expect(shown(monitoring.GRAFANA_OLD)).toMatchObject({
      severity: 'warning',
      text: '[Alerting] Test rule\nSomeone is testing\nHigh value: 100\nOpen: http://localhost:3000/',
    });
    expect(shown({ ...monitoring.GRAFANA_OLD, state: 'ok', title: '[OK] Test rule' })).toMatchObject({
      severity: 'info',
      text: expect.stringMatching(/^\[RESOLVED\] /),
    });
  });
});

/** Expected lines, severity and button address of each body. */
const SENDERS: [string, object, string[], string, string | undefined][] = [
  [
    'Sentry: an issue alert',
    monitoring.SENTRY_ISSUE_ALERT,
    ['[error] ReferenceError: heck is not defined', 'at ?(<anonymous>)', 'Rule: Very Important Alert Rule!'],
    'critical',
    'https://sentry.io/organizations/o/issues/1117540176/events/e4/',
  ],
  [
    'Sentry: a metric alert',
    monitoring.SENTRY_METRIC_ALERT,
    [
      'Critical: Too many errors',
      '1000 events in the last 10 minutes',
      'Filter: level:error',
      'Rule: Too many errors',
    ],
    'critical',
    'https://sentry.io/organizations/o/alerts/rules/details/1/',
  ],
  [
    'Sentry: a metric alert that is over',
    {
      ...monitoring.SENTRY_METRIC_ALERT,
      action: 'resolved',
      data: {
        ...monitoring.SENTRY_METRIC_ALERT.data,
        description_title: 'Too many errors',
        description_text: '',
        metric_alert: {},
      },
    },
    ['[RESOLVED] Too many errors'],
    'info',
    'https://sentry.io/organizations/o/alerts/rules/details/1/',
  ],
  [
    'Sentry: an issue that was resolved',
    monitoring.SENTRY_ISSUE,
    ['[RESOLVED] [error] WEB-1 TypeError: x is undefined', 'at app.views', 'Issue resolved in web'],
    'info',
    'https://o.sentry.io/issues/1/',
  ],
  [
    'Sentry: the plugin of a project',
    monitoring.SENTRY_PLUGIN,
    ['[warning] Web: This is an example Python exception', 'at raven.scripts.runner in main'],
    'warning',
    'https://sentry.io/organizations/o/issues/27379932/?referrer=webhooks_plugin',
  ],
  [
    'Sentry: another event',
    { action: 'created', actor: {}, data: { installation: { uuid: 'a' } } },
    ['Sentry: created installation'],
    'info',
    undefined,
  ],
  [
    'Uptime Kuma: down',
    monitoring.KUMA_DOWN,
    ['[Site] [🔴 Down] timeout of 48000ms exceeded'],
    'critical',
    'https://site.example/health',
  ],
  [
    'Uptime Kuma: up',
    monitoring.KUMA_UP,
    ['[RESOLVED] [Site] [✅ Up] 200 - OK'],
    'info',
    'https://site.example/health',
  ],
  ['Uptime Kuma: its test', monitoring.KUMA_TEST, ['chat Testing'], 'info', undefined],
  [
    'healthchecks.io: down, without a link to the ping address',
    monitoring.HEALTHCHECKS_DOWN,
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
    monitoring.HEALTHCHECKS_UP,
    ['[RESOLVED] Nightly backup is UP'],
    'info',
    undefined,
  ],
  [
    'Apprise: a failure',
    monitoring.APPRISE_JSON,
    ['Backup', String.raw`db1 \*failed\* \@channel`],
    'critical',
    undefined,
  ],
  [
    'Apprise: a warning with files',
    { ...monitoring.APPRISE_JSON, type: 'warning', attachments: [{ filename: 'a', base64: 'YQ==' }] },
    ['Backup', String.raw`db1 \*failed\* \@channel`],
    'warning',
    undefined,
  ],
  [
    'Apprise: a success',
    { version: '1.0', title: '', message: 'fine', type: 'success' },
    ['fine'],
    'info',
    undefined,
  ],
  [
    'GitHub: ping',
    forges.GITHUB_PING,
    ['[acme/shop] GitHub is connected: Keep it logically awesome.'],
    'info',
    'https://github.com/acme/shop',
  ],
  [
    'GitHub: push',
    forges.GITHUB_PUSH,
    [
      '[acme/shop] ann pushed 2 commits to branch main',
      String.raw`aaaaaaaa Fix \*all\* (Ann)`,
      'bbbbbbbb Add tests (Bob)',
    ],
    'info',
    'https://github.com/acme/shop/compare/a...b',
  ],
  [
    'GitHub: a deleted branch',
    { ...forges.GITHUB_PUSH, deleted: true, commits: [], head_commit: null },
    ['[acme/shop] ann deleted branch main'],
    'info',
    'https://github.com/acme/shop/compare/a...b',
  ],
  [
    'GitHub: a merged pull request',
    forges.GITHUB_PULL_REQUEST,
    ['[acme/shop] ann merged pull request #7: Faster checkout'],
    'info',
    'https://github.com/acme/shop/pull/7',
  ],
  [
    'GitHub: an issue',
    forges.GITHUB_ISSUE,
    ['[acme/shop] ann opened issue #3: It is slow'],
    'info',
    'https://github.com/acme/shop/issues/3',
  ],
  [
    'GitHub: a comment',
    forges.GITHUB_COMMENT,
    ['[acme/shop] ann commented on issue #3: It is slow', 'me too'],
    'info',
    'https://github.com/acme/shop/issues/3#issuecomment-1',
  ],
  [
    'GitHub: a run that failed',
    forges.GITHUB_RUN,
    ['[acme/shop] workflow run CI #42: failure on main', 'Fix all'],
    'warning',
    'https://github.com/acme/shop/actions/runs/1',
  ],
  [
    'GitHub: a run that passed',
    { ...forges.GITHUB_RUN, workflow_run: { ...forges.GITHUB_RUN.workflow_run, conclusion: 'success' } },
    ['[acme/shop] workflow run CI #42: success on main', 'Fix all'],
    'info',
    'https://github.com/acme/shop/actions/runs/1',
  ],
  [
    'GitHub: a release',
    forges.GITHUB_RELEASE,
    ['[acme/shop] ann published release One two (v1.2.0)', 'notes'],
    'info',
    'https://github.com/acme/shop/releases/tag/v1.2.0',
  ],
  [
    'GitHub: another event',
    forges.GITHUB_STAR,
    ['[acme/shop] ann: starred at created'],
    'info',
    'https://github.com/acme/shop',
  ],
  [
    'GitLab: push',
    forges.GITLAB_PUSH,
    [
      '[acme/shop] Ann pushed 4 commits to branch main',
      '… and 2 before',
      String.raw`aaaaaaaa Fix \*all\* (Ann)`,
      'bbbbbbbb Add tests (Bob)',
    ],
    'info',
    'https://gitlab.example/acme/shop/commit/bbbbbbbb',
  ],
  [
    'GitLab: a merge request',
    forges.GITLAB_MERGE_REQUEST,
    ['[acme/shop] Ann opened merge request !1: Faster checkout', 'fast → main'],
    'info',
    'https://gitlab.example/acme/shop/-/merge_requests/1',
  ],
  [
    'GitLab: a pipeline that failed',
    forges.GITLAB_PIPELINE,
    ['[acme/shop] Pipeline #31 failed on main by Ann', 'failed: unit', 'test'],
    'warning',
    'https://gitlab.example/acme/shop/-/pipelines/31',
  ],
  [
    'GitLab: an issue',
    forges.GITLAB_ISSUE,
    ['[acme/shop] Ann opened issue #23: It is slow'],
    'info',
    'https://gitlab.example/acme/shop/-/issues/23',
  ],
  [
    'GitLab: a release',
    forges.GITLAB_RELEASE,
    ['[acme/shop] Release One two (v1.2.0) created', 'notes'],
    'info',
    'https://gitlab.example/acme/shop/-/releases/v1.2.0',
  ],
  [
    'GitLab: another event',
    forges.GITLAB_WIKI,
    ['[acme/shop] Ann: wiki page update Home'],
    'info',
    'https://gitlab.example/acme/shop/-/wikis/home',
  ],
];

test.each(SENDERS)('%s', (_what, body, lines, severity, address) => {
  expect({
    lines: linesOf(body),
    severity: shown(body).severity,
    address: buttonsOf(body)?.[0]?.url,
  }).toEqual({
    lines,
    severity,
    address,
  });
});

test.each(SENDERS)('%s: mentions nobody and is escaped', (_what, body) => {
  const hostile = JSON.parse(JSON.stringify(body).replaceAll('main', '@channel <!here> *x*')) as object;
  expect(shown(hostile)).toMatchObject({ mentions: [], mentionsChannel: false, mentionsHere: false });
});

test("GitHub's header names an event that the body does not", () => {
  expect(shown(forges.GITHUB_STAR, 'star').text).toBe('[acme/shop] ann: star created');
});

test('a body in a documented format is read as such, even with fields of a native one', () => {
  expect(shown({ ...monitoring.KUMA_DOWN, text: 'mine' }).text).toBe('mine');
  expect(shown({ ...monitoring.GRAFANA_FIRING, message: { content: 'mine' } }).text).toBe('mine');
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
  expect(parseIncoming(body)).toEqual({ ok: false, reason });
});
