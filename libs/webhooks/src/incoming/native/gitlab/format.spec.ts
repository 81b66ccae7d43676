import { shown, testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'GitLab: push',
    bodies.push,
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
    bodies.mergeRequest,
    ['[acme/shop] Ann opened merge request !1: Faster checkout', 'fast → main'],
    'info',
    'https://gitlab.example/acme/shop/-/merge_requests/1',
  ],
  [
    'GitLab: a pipeline that failed',
    bodies.pipeline,
    ['[acme/shop] Pipeline #31 failed on main by Ann', 'failed: unit', 'test'],
    'warning',
    'https://gitlab.example/acme/shop/-/pipelines/31',
  ],
  [
    'GitLab: an issue',
    bodies.issue,
    ['[acme/shop] Ann opened issue #23: It is slow'],
    'info',
    'https://gitlab.example/acme/shop/-/issues/23',
  ],
  [
    'GitLab: a release',
    bodies.release,
    ['[acme/shop] Release One two (v1.2.0) created', 'notes'],
    'info',
    'https://gitlab.example/acme/shop/-/releases/v1.2.0',
  ],
  [
    'GitLab: another event',
    bodies.wiki,
    ['[acme/shop] Ann: wiki page update Home'],
    'info',
    'https://gitlab.example/acme/shop/-/wikis/home',
  ],
]);

testKeys([
  ['GitLab: merge request', bodies.mergeRequest, { threadKey: 'gitlab-request:15:1' }],
  ['GitLab: issue', bodies.issue, { threadKey: 'gitlab-issue:15:23' }],
  ['GitLab: pipeline', bodies.pipeline, { threadKey: 'gitlab-pipeline:15:31' }],
  [
    'GitLab: job of a pipeline',
    {
      object_kind: 'build',
      build_id: 1,
      build_name: 'unit',
      build_status: 'failed',
      pipeline_id: 31,
      project_id: 15,
    },
    { threadKey: 'gitlab-pipeline:15:31' },
  ],
  [
    'GitLab: comment on a merge request',
    {
      ...bodies.mergeRequest,
      object_kind: 'note',
      object_attributes: { id: 5, note: 'ok' },
      merge_request: { iid: 1 },
    },
    { threadKey: 'gitlab-request:15:1' },
  ],
  [
    'GitLab: comment on an issue',
    {
      ...bodies.issue,
      object_kind: 'note',
      object_attributes: { id: 5, note: 'ok' },
      issue: { iid: 23 },
    },
    { threadKey: 'gitlab-issue:15:23' },
  ],
  ['GitLab: push has none', bodies.push, {}],
  ['GitLab: wiki page has none', bodies.wiki, {}],
]);

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
