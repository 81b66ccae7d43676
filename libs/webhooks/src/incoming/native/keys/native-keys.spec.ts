import * as forge from '../testing/forge-bodies.js';
import * as monitoring from '../testing/monitoring-bodies.js';
import { nativeFormatOf } from '../native-formats.js';
import { Payload } from '../payload.js';
import { nativeKeys } from './keys-of-format.js';
import type { NativeKeys } from './native-keys.js';

const keysOf = (body: object): NativeKeys => {
  const payload = new Payload(body);
  const format = nativeFormatOf(payload);
  if (!format) throw new Error('no format');
  return nativeKeys(format, payload);
};
const hashed = (kind: string): unknown => expect.stringMatching(new RegExp(`^${kind}:[0-9a-f]{64}$`));

describe('alerts', () => {
  test.each<[string, object, object]>([
    [
      'Alertmanager',
      monitoring.ALERTMANAGER_FIRING,
      { dedupKey: 'alertmanager:{}:{alertname="HighCPU"}', resolved: false },
    ],
    [
      'Alertmanager, resolved',
      monitoring.ALERTMANAGER_RESOLVED,
      { dedupKey: 'alertmanager:{}:{alertname="HighCPU"}', resolved: true },
    ],
    [
      'Grafana',
      monitoring.GRAFANA_FIRING,
      { dedupKey: 'grafana:{}:{alertname="High memory"}', resolved: false },
    ],
    [
      'Grafana, resolved',
      monitoring.GRAFANA_RESOLVED,
      { dedupKey: 'grafana:{}:{alertname="High memory"}', resolved: true },
    ],
    ['Uptime Kuma', monitoring.KUMA_DOWN, { dedupKey: 'kuma:1', resolved: false }],
    ['Uptime Kuma, up', monitoring.KUMA_UP, { dedupKey: 'kuma:1', resolved: true }],
    [
      'Sentry: alert of an issue',
      monitoring.SENTRY_ISSUE_ALERT,
      { dedupKey: 'sentry:1117540176', resolved: false },
    ],
    ['Sentry: resolved issue', monitoring.SENTRY_ISSUE, { dedupKey: 'sentry:1', resolved: true }],
    [
      'Sentry: metric alert',
      monitoring.SENTRY_METRIC_ALERT,
      { dedupKey: 'sentry-metric:7', resolved: false },
    ],
    ['Sentry: plugin', monitoring.SENTRY_PLUGIN, { dedupKey: 'sentry:27379932', resolved: false }],
    [
      'healthchecks.io, up',
      monitoring.HEALTHCHECKS_UP,
      { dedupKey: 'healthchecks:803f680d', resolved: true },
    ],
  ])('%s', (_, body, keys) => expect(keysOf(body)).toEqual(keys));

  test('healthchecks.io: the ping address is stored only as a hash', () => {
    expect(keysOf(monitoring.HEALTHCHECKS_DOWN)).toEqual({
      dedupKey: hashed('healthchecks'),
      resolved: false,
    });
  });

  test('a long key is hashed, and equal keys stay equal', () => {
    const long = { ...monitoring.ALERTMANAGER_FIRING, groupKey: `{}:{instance="${'x'.repeat(200)}"}` };
    expect(keysOf(long).dedupKey).toEqual(hashed('alertmanager'));
    expect(keysOf(long)).toEqual(keysOf({ ...long }));
    expect(keysOf(long).dedupKey).not.toBe(keysOf({ ...long, groupKey: `${long.groupKey}x` }).dedupKey);
  });

  test.each<[string, object]>([
    ['a test of Uptime Kuma', monitoring.KUMA_TEST],
    ['a monitor of Uptime Kuma in maintenance', { ...monitoring.KUMA_DOWN, heartbeat: { status: 3 } }],
    ['a group of alerts without a key', { ...monitoring.ALERTMANAGER_FIRING, groupKey: '' }],
    ['a paused check', { ...monitoring.HEALTHCHECKS_UP, status: 'paused' }],
    ['Apprise', monitoring.APPRISE_JSON],
  ])('%s has none', (_, body) => expect(keysOf(body)).toEqual({}));
});

describe('threads', () => {
  test.each<[string, object, string]>([
    ['GitHub: pull request', forge.GITHUB_PULL_REQUEST, 'github:1:#7'],
    ['GitHub: review', { ...forge.GITHUB_PULL_REQUEST, review: { state: 'approved' } }, 'github:1:#7'],
    ['GitHub: issue', forge.GITHUB_ISSUE, 'github:1:#3'],
    ['GitHub: comment on an issue', forge.GITHUB_COMMENT, 'github:1:#3'],
    ['GitHub: run of a workflow', forge.GITHUB_RUN, 'github-run:1:1'],
    ['GitHub: job of a run', { ...forge.GITHUB_STAR, workflow_job: { id: 9, run_id: 1 } }, 'github-run:1:1'],
    [
      'GitHub: check',
      { ...forge.GITHUB_STAR, check_run: { id: 9, check_suite: { id: 4 } } },
      'github-checks:1:4',
    ],
    ['GitHub: suite of checks', { ...forge.GITHUB_STAR, check_suite: { id: 4 } }, 'github-checks:1:4'],
    ['GitLab: merge request', forge.GITLAB_MERGE_REQUEST, 'gitlab-request:15:1'],
    ['GitLab: issue', forge.GITLAB_ISSUE, 'gitlab-issue:15:23'],
    ['GitLab: pipeline', forge.GITLAB_PIPELINE, 'gitlab-pipeline:15:31'],
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
      'gitlab-pipeline:15:31',
    ],
    [
      'GitLab: comment on a merge request',
      {
        ...forge.GITLAB_MERGE_REQUEST,
        object_kind: 'note',
        object_attributes: { id: 5, note: 'ok' },
        merge_request: { iid: 1 },
      },
      'gitlab-request:15:1',
    ],
    [
      'GitLab: comment on an issue',
      {
        ...forge.GITLAB_ISSUE,
        object_kind: 'note',
        object_attributes: { id: 5, note: 'ok' },
        issue: { iid: 23 },
      },
      'gitlab-issue:15:23',
    ],
  ])('%s', (_, body, threadKey) => expect(keysOf(body)).toEqual({ threadKey }));

  test.each<[string, object]>([
    ['GitHub: push', forge.GITHUB_PUSH],
    ['GitHub: ping', forge.GITHUB_PING],
    ['GitHub: release', forge.GITHUB_RELEASE],
    ['GitHub: star', forge.GITHUB_STAR],
    ['GitLab: push', forge.GITLAB_PUSH],
    ['GitLab: wiki page', forge.GITLAB_WIKI],
  ])('%s has none', (_, body) => expect(keysOf(body)).toEqual({}));
});
