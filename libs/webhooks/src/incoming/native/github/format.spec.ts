import { readMessage } from '../../read-message.js';
import { shown, testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'GitHub: ping',
    bodies.ping,
    ['[acme/shop] GitHub is connected: Keep it logically awesome.'],
    'info',
    'https://github.com/acme/shop',
  ],
  [
    'GitHub: push',
    bodies.push,
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
    { ...bodies.push, deleted: true, commits: [], head_commit: null },
    ['[acme/shop] ann deleted branch main'],
    'info',
    'https://github.com/acme/shop/compare/a...b',
  ],
  [
    'GitHub: a merged pull request',
    bodies.pullRequest,
    ['[acme/shop] ann merged pull request #7: Faster checkout'],
    'info',
    'https://github.com/acme/shop/pull/7',
  ],
  [
    'GitHub: an issue',
    bodies.issue,
    ['[acme/shop] ann opened issue #3: It is slow'],
    'info',
    'https://github.com/acme/shop/issues/3',
  ],
  [
    'GitHub: a comment',
    bodies.comment,
    ['[acme/shop] ann commented on issue #3: It is slow', 'me too'],
    'info',
    'https://github.com/acme/shop/issues/3#issuecomment-1',
  ],
  [
    'GitHub: a run that failed',
    bodies.run,
    ['[acme/shop] workflow run CI #42: failure on main', 'Fix all'],
    'warning',
    'https://github.com/acme/shop/actions/runs/1',
  ],
  [
    'GitHub: a run that passed',
    { ...bodies.run, workflow_run: { ...bodies.run.workflow_run, conclusion: 'success' } },
    ['[acme/shop] workflow run CI #42: success on main', 'Fix all'],
    'info',
    'https://github.com/acme/shop/actions/runs/1',
  ],
  [
    'GitHub: a release',
    bodies.release,
    ['[acme/shop] ann published release One two (v1.2.0)', 'notes'],
    'info',
    'https://github.com/acme/shop/releases/tag/v1.2.0',
  ],
  [
    'GitHub: another event',
    bodies.star,
    ['[acme/shop] ann: starred at created'],
    'info',
    'https://github.com/acme/shop',
  ],
]);

testKeys([
  ['GitHub: pull request', bodies.pullRequest, { threadKey: 'github:1:#7' }],
  ['GitHub: review', { ...bodies.pullRequest, review: { state: 'approved' } }, { threadKey: 'github:1:#7' }],
  ['GitHub: issue', bodies.issue, { threadKey: 'github:1:#3' }],
  ['GitHub: comment on an issue', bodies.comment, { threadKey: 'github:1:#3' }],
  ['GitHub: run of a workflow', bodies.run, { threadKey: 'github-run:1:1' }],
  [
    'GitHub: job of a run',
    { ...bodies.star, workflow_job: { id: 9, run_id: 1 } },
    { threadKey: 'github-run:1:1' },
  ],
  [
    'GitHub: check',
    { ...bodies.star, check_run: { id: 9, check_suite: { id: 4 } } },
    { threadKey: 'github-checks:1:4' },
  ],
  ['GitHub: suite of checks', { ...bodies.star, check_suite: { id: 4 } }, { threadKey: 'github-checks:1:4' }],
  ['GitHub: push has none', bodies.push, {}],
  ['GitHub: ping has none', bodies.ping, {}],
  ['GitHub: release has none', bodies.release, {}],
  ['GitHub: star has none', bodies.star, {}],
]);

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
          vulnerabilities: [{}, { package: { ecosystem: 'npm', name: 'lodash' } }],
        },
      },
      'security advisory published: Bad lodash (critical)\nlodash (npm)',
    ],
  ])('the header names %s', (event, body, text) => {
    expect(shown(body, { event })).toMatchObject({ lines: text.split('\n') });
    expect(readMessage({ unrelated: 1 }, { event })).toMatchObject({ ok: false });
  });
});

test("GitHub's header names an event that the body does not", () => {
  expect(shown(bodies.star, { event: 'star' }).lines).toEqual(['[acme/shop] ann: star created']);
});
