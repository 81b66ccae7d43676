import type { IncomingHttpHeaders } from 'node:http';
import { equalsSecret } from '@tieline/signing';
import { ADVISORY_SEVERITIES, commitLines, isNoCommit, refOf } from '../parts/forges.js';
import { counted, firstLine, line } from '../parts/native-format.js';
import type { NativeFormat, NativeMessage } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import { keyOf, threadKeys } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';
import { headerValue, NO_TIMESTAMP } from '../parts/signatures.js';
import type { SenderSignature } from '../parts/signatures.js';

const PAST_TENSE: ReadonlyMap<string, string> = new Map([
  ['open', 'opened'],
  ['close', 'closed'],
  ['reopen', 'reopened'],
  ['update', 'updated'],
  ['merge', 'merged'],
  ['approved', 'approved'],
  ['create', 'created'],
  ['delete', 'deleted'],
]);
const READERS: ReadonlyMap<string, (body: Payload) => NativeMessage> = new Map([
  ['push', push],
  ['tag_push', push],
  ['merge_request', (body: Payload) => onObject(body, 'merge request', '!')],
  ['issue', (body: Payload) => onObject(body, 'issue', '#')],
  ['work_item', (body: Payload) => onObject(body, 'work item', '#')],
  ['pipeline', pipeline],
  ['build', job],
  ['job', job],
  ['deployment', deployment],
  ['release', release],
  ['note', note],
  ['access_token', expiringToken],
  ['vulnerability', vulnerability],
]);

/** Webhooks of GitLab projects, groups and the system. */
export const GITLAB: NativeFormat = {
  name: 'GitLab',
  recognizes: (body) =>
    body.isText('object_kind') ||
    (body.isText('event_name') &&
      ['project', 'project_id', 'user_id', 'group_id'].some((name) => body.has(name))),
  read: (body) => {
    const { lines, ...rest } = (READERS.get(kindOf(body)) ?? otherEvent)(body);
    const [first = '', ...others] = lines;
    const place = projectOf(body);
    return { ...rest, lines: [line(place && `[${place}]`, first), ...others] };
  },
  keys: subjectKeys,
  signature: tokenSignature,
};

function kindOf(body: Payload): string {
  return body.word('object_kind') || body.word('event_name');
}

function projectOf(body: Payload): string {
  const names = [
    ['project', 'path_with_namespace'],
    ['project', 'name'],
    ['project_name'],
    ['repository', 'name'],
    ['path_with_namespace'],
  ];
  return names.map((path) => body.text(...path)).find((name) => name !== '') ?? '';
}

function siteOf(body: Payload): string {
  return body.text('project', 'web_url') || body.text('repository', 'homepage');
}

function actorOf(body: Payload): string {
  return (
    body.text('user', 'name') ||
    body.text('user_name') ||
    body.text('user', 'username') ||
    body.text('user_username') ||
    'someone'
  );
}

function eventMessage(lines: string[], urls: string[], isFailure = false): NativeMessage {
  const url = urls.find((candidate) => candidate !== '') ?? '';
  return { lines, links: [{ label: 'Open', url }], severity: isFailure ? 'warning' : 'info' };
}

function push(body: Payload): NativeMessage {
  const { kind, name } = refOf(body.text('ref'));
  const total = Number(body.text('total_commits_count')) || body.count('commits');
  const bare = isNoCommit(body.text('after'))
    ? 'deleted'
    : isNoCommit(body.text('before'))
      ? 'created'
      : undefined;
  const what =
    bare !== undefined && (total === 0 || kind === 'tag') ? bare : `pushed ${counted(total, 'commit')} to`;
  const newest = body.list('commits').at(-1)?.text('url') ?? '';
  return eventMessage(
    [line(actorOf(body), what, kind, name), ...commitLines(body, total)],
    [newest, siteOf(body)],
  );
}

function onObject(body: Payload, noun: string, sign: string): NativeMessage {
  const of = body.object('object_attributes');
  const action = of.text('action') || of.text('state') || 'changed';
  const title = line(of.text('iid') && `${sign}${of.text('iid')}:`, of.text('title'));
  const branches = of.has('source_branch') ? `${of.text('source_branch')} → ${of.text('target_branch')}` : '';
  return eventMessage(
    [line(actorOf(body), PAST_TENSE.get(action) ?? action, noun, title), branches],
    [of.text('url'), siteOf(body)],
  );
}

function pipeline(body: Payload): NativeMessage {
  const of = body.object('object_attributes');
  const status = of.text('detailed_status') || of.text('status');
  const failed = body
    .list('builds')
    .filter((build) => build.word('status') === 'failed' && build.text('allow_failure') !== 'true')
    .map((build) => build.text('name'));
  const own = siteOf(body) && of.text('id') && `${siteOf(body)}/-/pipelines/${of.text('id')}`;
  return eventMessage(
    [
      line(
        'Pipeline',
        of.text('id') && `#${of.text('id')}`,
        of.text('name'),
        status,
        of.text('ref') && `on ${of.text('ref')}`,
        `by ${actorOf(body)}`,
      ),
      failed.length > 0 ? `failed: ${failed.join(', ')}` : '',
      firstLine(body.text('commit', 'title') || body.text('commit', 'message')),
    ],
    [of.text('url'), own, siteOf(body)],
    of.word('status') === 'failed',
  );
}

function job(body: Payload): NativeMessage {
  const own = siteOf(body) && body.text('build_id') && `${siteOf(body)}/-/jobs/${body.text('build_id')}`;
  const [name, stage] = [body.text('build_name'), body.text('build_stage')];
  return eventMessage(
    [
      line(
        'Job',
        name,
        stage && `(${stage})`,
        body.text('build_status'),
        body.text('ref') && `on ${body.text('ref')}`,
      ),
      body.word('build_status') === 'failed' ? body.text('build_failure_reason') : '',
    ],
    [own, siteOf(body)],
    body.word('build_status') === 'failed' && body.text('build_allow_failure') !== 'true',
  );
}

function deployment(body: Payload): NativeMessage {
  const place = body.text('environment');
  return eventMessage(
    [
      line('Deployment', place && `to ${place}`, body.text('status'), body.text('short_sha')),
      body.text('commit_title'),
    ],
    [body.text('deployable_url'), body.text('environment_external_url'), siteOf(body)],
    body.word('status') === 'failed',
  );
}

function release(body: Payload): NativeMessage {
  const action = PAST_TENSE.get(body.text('action')) ?? body.text('action');
  const [name, tag] = [body.text('name'), body.text('tag')];
  return eventMessage(
    [
      line('Release', name || tag, tag !== '' && tag !== name ? `(${tag})` : '', action),
      body.text('description'),
    ],
    [body.text('url'), siteOf(body)],
  );
}

function note(body: Payload): NativeMessage {
  const of = body.object('object_attributes');
  const on = ['merge_request', 'issue', 'commit', 'snippet'].find((name) => body.isObject(name)) ?? '';
  const subject = body.object(on);
  const title = firstLine(subject.text('title') || subject.text('message'));
  return eventMessage(
    [line(actorOf(body), 'commented on', on.replace('_', ' '), title), of.text('note')],
    [of.text('url'), siteOf(body)],
  );
}

/** Reads the warning that a project or group token expires soon. */
function expiringToken(body: Payload): NativeMessage {
  const of = body.object('object_attributes');
  const until = of.text('expires_at');
  const place = body.text('group', 'group_path') || body.text('group', 'full_path');
  return eventMessage(
    [
      line(
        place && `[${place}]`,
        'Access token',
        of.text('name'),
        until === '' ? 'expires soon' : `expires on ${until}`,
      ),
    ],
    [siteOf(body)],
    true,
  );
}

function vulnerability(body: Payload): NativeMessage {
  const of = body.object('object_attributes');
  const [severity, state] = [of.word('severity'), of.word('state')];
  const isClosed = state === 'resolved' || state === 'dismissed';
  const message = eventMessage(
    [
      line('Vulnerability', state && `${state}:`, of.text('title'), severity && `(${severity})`),
      of.text('location', 'file'),
    ],
    [of.text('url'), siteOf(body)],
  );
  return { ...message, severity: isClosed ? 'info' : (ADVISORY_SEVERITIES.get(severity) ?? 'info') };
}

/** Describes an event in one line, as far as its field names allow. */
function otherEvent(body: Payload): NativeMessage {
  const of = body.object('object_attributes');
  const action = of.text('action') || body.text('action');
  const name = of.text('title') || of.text('name') || body.text('name');
  const what = firstLine(line(kindOf(body).replaceAll('_', ' '), action, name));
  return eventMessage([`${actorOf(body)}: ${what}`], [of.text('url'), siteOf(body)]);
}

/**
 * Returns the thread key of a GitLab event: its merge request, issue or pipeline. Comments and jobs
 * belong to these.
 */
function subjectKeys(body: Payload): NativeKeys {
  const project =
    body.text('project', 'id') || body.text('project_id') || body.text('object_attributes', 'project_id');
  const kind = body.word('object_kind') || body.word('event_name');
  const own = body.text('object_attributes', 'iid');
  const request = kind === 'merge_request' ? own : kind === 'note' ? body.text('merge_request', 'iid') : '';
  if (request !== '') return threadKeys(keyOf('gitlab-request', project, request));
  const issue =
    kind === 'issue' || kind === 'work_item' ? own : kind === 'note' ? body.text('issue', 'iid') : '';
  if (issue !== '') return threadKeys(keyOf('gitlab-issue', project, issue));
  const pipeline = kind === 'pipeline' ? body.text('object_attributes', 'id') : body.text('pipeline_id');
  return threadKeys(keyOf('gitlab-pipeline', project, pipeline));
}

/** Reads GitLab's token, which is the secret itself and covers no part of the request. */
function tokenSignature(headers: IncomingHttpHeaders): SenderSignature | undefined {
  const header = 'x-gitlab-token';
  const value = headerValue(headers, header);
  if (value === undefined) return undefined;
  return {
    header,
    match: (secret) => (equalsSecret(secret, value) ? { digest: undefined } : undefined),
    timestampFault: NO_TIMESTAMP,
  };
}
