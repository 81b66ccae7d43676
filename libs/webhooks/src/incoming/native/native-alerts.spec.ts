import { parseIncoming } from '../formats/formats.js';
import type { ReadingOptions } from '../formats/formats.js';
import { asResolved } from './native-format.js';
import * as monitoring from './testing/monitoring-bodies.js';

/** Returns the visible message of a body, without the severity in its metadata. */
function shown(body: unknown, options: ReadingOptions = {}): Record<string, unknown> {
  const parsed = parseIncoming(body, options);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { text, severity, metadata } = parsed.message;
  const { severity: _severity, ...rich } = metadata as Record<string, unknown>;
  return { lines: text.split('\n'), severity, ...rich };
}

describe('Microsoft Teams cards', () => {
  const messageCard = {
    '@type': 'MessageCard',
    '@context': 'http://schema.org/extensions',
    title: 'CRITICAL db1',
    summary: 'CRITICAL db1',
    text: 'disk *full*',
    themeColor: 'E81123',
    sections: [
      {
        activityTitle: 'Ann',
        facts: [
          { name: 'Host:', value: 'db1' },
          { name: 'Used', value: 98 },
        ],
        images: [{ image: 'https://x.example/graph.png', title: 'Graph' }],
      },
    ],
    potentialAction: [
      { '@type': 'OpenUri', name: 'Runbook', targets: [{ os: 'default', uri: 'https://rb.example/1' }] },
      { '@type': 'ViewAction', name: 'Logs', target: ['https://logs.example/1'] },
    ],
  };

  test('a MessageCard (BGPalerter, Alertmanager’s msteams_configs)', () => {
    expect(shown(messageCard)).toEqual({
      lines: ['CRITICAL db1', String.raw`disk \*full\*`, 'Ann', 'Host: db1', 'Used: 98'],
      severity: 'critical',
      buttons: [
        { text: 'Runbook', url: 'https://rb.example/1' },
        { text: 'Logs', url: 'https://logs.example/1' },
      ],
      attachments: [{ image_url: 'https://x.example/graph.png', fallback: 'Graph' }],
    });
  });

  test.each<[object, ReadingOptions, string]>([
    [{ themeColor: '#2DC72D' }, {}, 'info'],
    [{ themeColor: 'no color' }, {}, 'warning'],
    [{ themeColor: undefined }, {}, 'warning'],
    [{}, { severityFromColor: false }, 'warning'],
  ])('the color gives the severity: %j %j', (fields, options, severity) => {
    expect(shown({ ...messageCard, ...fields }, options)).toMatchObject({ severity });
  });

  test('a summary is shown if no other text contains it', () => {
    expect(shown({ '@type': 'MessageCard', summary: 'Build 7', text: 'passed' })).toMatchObject({
      lines: ['Build 7', 'passed'],
    });
  });

  const adaptiveCard = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: '[FIRING:2] HighCPU', weight: 'bolder', color: 'attention' },
      {
        type: 'ColumnSet',
        columns: [
          {
            type: 'Column',
            items: [{ type: 'RichTextBlock', inlines: ['since ', { type: 'TextRun', text: 'noon' }] }],
          },
        ],
      },
      { type: 'FactSet', facts: [{ title: 'Host', value: 'db1' }] },
      { type: 'Image', url: 'https://x.example/graph.png', altText: 'Graph' },
    ],
    actions: [
      { type: 'Action.OpenUrl', title: 'View', url: 'https://am.example' },
      { type: 'Action.Submit', title: 'No' },
    ],
  };

  test.each([
    ['bare', adaptiveCard],
    [
      'in the attachments of a message (Alertmanager’s msteamsv2_configs)',
      {
        type: 'message',
        attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: adaptiveCard }],
      },
    ],
  ])('an Adaptive Card, %s', (_what, body) => {
    expect(shown(body)).toEqual({
      lines: ['[FIRING:2] HighCPU', 'since noon', 'Host: db1'],
      severity: 'critical',
      buttons: [{ text: 'View', url: 'https://am.example' }],
      attachments: [{ image_url: 'https://x.example/graph.png', fallback: 'Graph' }],
    });
  });

  test('any content of a card is accepted', () => {
    for (const value of [null, 7, 'x', [], [null], [[7]], {}, [{ items: [7], facts: [{}], actions: 7 }]])
      for (const card of [
        { '@type': 'MessageCard', title: 'a', text: value, sections: value, potentialAction: value },
        { type: 'AdaptiveCard', body: value, actions: value },
      ])
        expect(shown(card)).toHaveProperty('lines');
  });
});

describe('a title and a message', () => {
  test.each<[object, string, string[]]>([
    [{ title: 'Backup', message: 'db1 *failed*' }, 'warning', ['Backup', String.raw`db1 \*failed\*`]],
    [{ title: 'Backup', message: 'done', type: 'success' }, 'info', ['Backup', 'done']],
    [{ title: 'Backup', message: 'gone', type: 'failure' }, 'critical', ['Backup', 'gone']],
    [
      { title: 'Backup', message: 'gone', type: 'info', severity: 'critical' },
      'critical',
      ['Backup', 'gone'],
    ],
  ])('%j', (body, severity, lines) => {
    expect(shown(body)).toEqual({ severity, lines });
  });

  test('a message without a title is in no known format', () => {
    expect(parseIncoming({ message: 'x' })).toMatchObject({
      ok: false,
      reason: 'unknown format: keys message',
    });
  });
});

describe('GitHub', () => {
  const around = {
    repository: { full_name: 'a/b', html_url: 'https://github.com/a/b' },
    sender: { login: 'bob' },
  };

  test.each<[string, object, string[], string]>([
    [
      'a Dependabot alert names package and severity (osmosis-frontend#4365)',
      {
        action: 'created',
        alert: {
          number: 5,
          dependency: { package: { ecosystem: 'npm', name: 'lodash' }, manifest_path: 'package-lock.json' },
          security_advisory: { severity: 'critical', summary: 'Prototype pollution' },
          security_vulnerability: { first_patched_version: { identifier: '4.17.21' } },
          html_url: 'https://github.com/a/b/security/dependabot/5',
        },
      },
      [
        '[a/b] Dependabot alert #5 created: lodash (npm) (critical)',
        'Prototype pollution',
        'package-lock.json',
        'fixed in 4.17.21',
      ],
      'critical',
    ],
    [
      'a fixed one is info',
      { action: 'fixed', alert: { number: 5, security_advisory: { severity: 'critical' } } },
      ['[a/b] Dependabot alert #5 fixed: (critical)'],
      'info',
    ],
    [
      'a leaked secret',
      {
        action: 'created',
        alert: { number: 2, secret_type: 'aws_key', secret_type_display_name: 'AWS key' },
      },
      ['[a/b] secret scanning alert #2 created: AWS key'],
      'critical',
    ],
    [
      'a finding in code',
      {
        action: 'appeared_in_branch',
        alert: {
          number: 9,
          rule: { id: 'js/xss', description: 'Cross-site scripting', security_severity_level: 'high' },
          most_recent_instance: { location: { path: 'src/a.js', start_line: 7 } },
        },
      },
      ['[a/b] code scanning alert #9 appeared in branch: Cross-site scripting (high)', 'src/a.js:7'],
      'warning',
    ],
    [
      'a vulnerable dependency',
      {
        action: 'create',
        alert: {
          affected_package_name: 'rack',
          affected_range: '>= 2',
          severity: 'critical',
          fixed_in: '2.0.6',
          ghsa_id: 'GHSA-1',
        },
      },
      ['[a/b] vulnerability alert create: rack >= 2 (critical)', 'GHSA-1', 'fixed in 2.0.6'],
      'critical',
    ],
    [
      'a resolved review thread',
      { action: 'resolved', thread: {}, pull_request: { number: 7, title: 'Fix' } },
      ['[a/b] bob resolved a review thread of pull request #7: Fix'],
      'info',
    ],
    [
      'a dismissed review',
      { action: 'dismissed', review: { state: 'dismissed' }, pull_request: { number: 7, title: 'Fix' } },
      ['[a/b] bob dismissed a review of pull request #7: Fix'],
      'info',
    ],
  ])('%s', (_what, body, lines, severity) => {
    expect(shown({ ...around, ...body })).toMatchObject({ lines, severity });
  });

  test.each<[string, object, string]>([
    [
      'marketplace_purchase',
      {
        action: 'purchased',
        sender: { login: 'bob' },
        marketplace_purchase: { account: { login: 'acme' }, plan: { name: 'Pro' } },
      },
      'bob: marketplace purchase purchased acme Pro',
    ],
    [
      'github_app_authorization',
      { action: 'revoked', sender: { login: 'bob' } },
      'bob: github app authorization revoked',
    ],
    [
      'sponsorship',
      {
        action: 'created',
        sender: { login: 'bob' },
        sponsorship: { sponsor: { login: 'ann' }, tier: { name: '$5' } },
      },
      'bob: sponsorship created ann $5',
    ],
    [
      'security_advisory',
      {
        action: 'published',
        security_advisory: {
          summary: 'Bad lodash',
          severity: 'critical',
          vulnerabilities: [{ package: { ecosystem: 'npm', name: 'lodash' } }],
        },
      },
      'security advisory published: Bad lodash (critical)\nlodash (npm)',
    ],
  ])('the header names %s', (event, body, text) => {
    expect(shown(body, { event })).toMatchObject({ lines: text.split('\n') });
    expect(parseIncoming({ unrelated: 1 }, { event })).toMatchObject({ ok: false });
  });
});

test.each([
  ['CPU is high', '[RESOLVED] CPU is high'],
  ['Resolved: CPU', 'Resolved: CPU'],
  ['```\ncode\n```', '[RESOLVED]\n```\ncode\n```'],
  ['> quote', '[RESOLVED]\n> quote'],
])('marks a text as resolved: %j', (text, resolved) => {
  expect(asResolved(text)).toBe(resolved);
});

test('alerts that the sender truncated are counted (alertmanager#2274)', () => {
  for (const body of [monitoring.ALERTMANAGER_FIRING, monitoring.GRAFANA_FIRING])
    expect(shown({ ...body, truncatedAlerts: 98 })).toMatchObject({
      lines: expect.arrayContaining(['… and 98 more']),
    });
});

test('a comment of Sentry says who wrote what', () => {
  const data = { comment_id: 7, issue_id: 12, project_slug: 'shop', comment: 'Looking *at* it' };
  expect(shown({ action: 'created', actor: { name: 'Ann' }, data })).toMatchObject({
    lines: ['Ann commented on issue 12 in shop', String.raw`Looking \*at\* it`],
    severity: 'info',
  });
});

describe('GitLab', () => {
  const project = { path_with_namespace: 'acme/shop', web_url: 'https://gitlab.example/acme/shop' };

  test('an expiring token shows its expiry date', () => {
    const body = {
      object_kind: 'access_token',
      event_name: 'expiring_access_token',
      project,
      object_attributes: { name: 'ci-token', expires_at: '2026-12-01' },
    };
    expect(shown(body)).toMatchObject({
      lines: ['[acme/shop] Access token ci-token expires on 2026-12-01'],
      severity: 'warning',
    });
  });

  test.each([
    ['detected', 'critical', 'critical'],
    ['confirmed', 'high', 'warning'],
    ['resolved', 'critical', 'info'],
  ])('a vulnerability: %s, %s', (state, severity, wanted) => {
    const body = {
      object_kind: 'vulnerability',
      project,
      object_attributes: { title: 'SQL injection', severity, state },
    };
    expect(shown(body)).toMatchObject({
      lines: [`[acme/shop] Vulnerability ${state}: SQL injection (${severity})`],
      severity: wanted,
    });
  });
});

test.each<[string, object]>([
  ['Uptime Kuma', { heartbeat: 60, monitor: 'cpu' }],
  ['Uptime Kuma, without its message', { heartbeat: null, monitor: null }],
  ['Alertmanager', { alerts: ['disk full'], status: 'firing' }],
  ['Sentry', { action: 'created', data: { event: 'x', issue: 7 } }],
])('does not mistake another body with the keys of %s for it', (_what, body) => {
  expect(parseIncoming(body)).toMatchObject({ ok: false, reason: expect.stringContaining('unknown format') });
});
