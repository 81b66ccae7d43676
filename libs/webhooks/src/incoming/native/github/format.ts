import { commitLines, refOf } from '../parts/forges.js';
import { securityAdvisory, securityAlert } from './alerts.js';
import { checkOrRun, deploymentStatus, RUN_KEYS, commitStatus } from './runs.js';
import { counted, firstLine, line } from '../parts/native-format.js';
import type { NativeFormat, NativeHints, NativeMessage } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';
import { keyOf, threadKeys } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';
import { bodySignature } from '../parts/signatures.js';

/** Fields common to all events. They do not tell what happened. */
const COMMON = new Set([
  'action',
  'repository',
  'sender',
  'organization',
  'installation',
  'enterprise',
  'hook',
  'hook_id',
]);

const PLACES = ['repository', 'organization', 'installation', 'enterprise', 'hook'];
const SUBJECTS = [
  'commits',
  'pull_request',
  'issue',
  'release',
  'deployment_status',
  'ref_type',
  ...RUN_KEYS,
];

/** Webhooks of GitHub, and of Gitea and Forgejo, which use the same format. */
export const GITHUB: NativeFormat = {
  name: 'GitHub',
  recognizes: (body, hints) =>
    isPing(body) || isOfSender(body) || isOfRepository(body) || isNamedByHeader(body, hints),
  read: (body, hints) => {
    const { lines, ...rest } = eventOf(body, hints);
    const [first = '', ...others] = lines;
    const place = body.text('repository', 'full_name') || body.text('organization', 'login');
    return { ...rest, lines: [line(place && `[${place}]`, first), ...others] };
  },
  keys: subjectKeys,
  signature: bodySignature('x-hub-signature-256', { prefix: 'sha256=' }),
};

function isPing(body: Payload): boolean {
  return body.isText('zen') && ['hook_id', 'hook', 'repository'].some((name) => body.has(name));
}

function isOfSender(body: Payload): boolean {
  return body.has('sender', 'login') && PLACES.some((name) => body.isObject(name));
}

/** Recognizes events that only the header names, such as events about an account. */
function isNamedByHeader(body: Payload, { event = '' }: NativeHints): boolean {
  return event !== '' && (body.has('sender', 'login') || body.isObject(event));
}

/** Recognizes senders that use the same format without `sender`. */
function isOfRepository(body: Payload): boolean {
  return body.has('repository', 'full_name') && SUBJECTS.some((name) => body.has(name));
}

function eventOf(body: Payload, hints: NativeHints): NativeMessage {
  if (body.isText('zen'))
    return info([`GitHub is connected: ${body.text('zen')}`], body.text('repository', 'html_url'));
  if (body.isText('ref') && body.isList('commits')) return push(body);
  if (body.isObject('review')) return onPullRequest(body, reviewAction(body), 'review');
  if (body.isObject('thread') && body.isObject('pull_request'))
    return onPullRequest(body, `${body.text('action')} a review thread of`);
  if (body.isObject('alert')) return securityAlert(body);
  if (body.isObject('security_advisory')) return securityAdvisory(body);
  if (body.isObject('comment')) return comment(body);
  if (body.isObject('pull_request')) return onPullRequest(body, pullRequestAction(body));
  if (body.isObject('issue')) return onIssue(body, `${body.text('action')} issue`);
  if (body.isObject('release')) return release(body);
  if (body.isObject('deployment_status')) return deploymentStatus(body);
  const run = RUN_KEYS.find((name) => body.isObject(name));
  if (run !== undefined) return checkOrRun(body, run);
  if (body.isText('context') && body.isText('state')) return commitStatus(body);
  return otherEvent(body, hints);
}

function info(lines: string[], url: string, label = 'Open'): NativeMessage {
  return { lines, links: [{ label, url }], severity: 'info' };
}

function actorOf(body: Payload): string {
  return (
    body.text('sender', 'login') || body.text('pusher', 'name') || body.text('pusher', 'login') || 'someone'
  );
}

function push(body: Payload): NativeMessage {
  const { kind, name } = refOf(body.text('ref'));
  const total = body.count('commits');
  const said =
    body.text('deleted') === 'true' ? 'deleted' : body.text('created') === 'true' ? 'created' : undefined;
  const forced = body.text('forced') === 'true' ? 'force-pushed' : 'pushed';
  const what = said !== undefined && total === 0 ? said : `${forced} ${counted(total, 'commit')} to`;
  const url = body.text('compare') || body.text('compare_url') || body.text('repository', 'html_url');
  return info([line(actorOf(body), what, kind, name), ...commitLines(body)], url, 'Compare');
}

function pullRequestAction(body: Payload): string {
  const isMerged = body.word('action') === 'closed' && body.text('pull_request', 'merged') === 'true';
  return isMerged ? 'merged' : body.text('action');
}

function reviewAction(body: Payload): string {
  const action = body.word('action');
  return action === 'dismissed' || action === 'edited'
    ? `${action} a review of`
    : `reviewed (${body.text('review', 'state')})`;
}

function onPullRequest(body: Payload, action: string, about = 'pull_request'): NativeMessage {
  const request = body.object('pull_request');
  const url = body.text(about, 'html_url') || request.text('html_url');
  const words = about === 'pull_request' ? '' : body.text(about, 'body');
  return info([line(actorOf(body), action, 'pull request', titleOf(request, body)), words], url);
}

function onIssue(body: Payload, action: string): NativeMessage {
  const issue = body.object('issue');
  return info([line(actorOf(body), action, titleOf(issue, body))], issue.text('html_url'));
}

function titleOf(subject: Payload, body: Payload): string {
  const number = subject.text('number') || body.text('number');
  return line(number && `#${number}:`, subject.text('title'));
}

function comment(body: Payload): NativeMessage {
  const [url, words] = [body.text('comment', 'html_url'), body.text('comment', 'body')];
  const on = ['issue', 'pull_request', 'discussion'].find((name) => body.isObject(name));
  const what =
    on === undefined
      ? `commit ${body.text('comment', 'commit_id').slice(0, 8)}`
      : line(on.replace('_', ' '), titleOf(body.object(on), body));
  const action =
    body.word('action') === 'created' || !body.has('action')
      ? 'commented on'
      : `${body.text('action')} a comment on`;
  return info([line(actorOf(body), action, what), words], url);
}

function release(body: Payload): NativeMessage {
  const of = body.object('release');
  const name = of.text('name') || of.text('tag_name');
  const tag = of.text('tag_name') === name ? '' : `(${of.text('tag_name')})`;
  return info(
    [line(actorOf(body), body.text('action'), 'release', name, tag), of.text('body')],
    of.text('html_url'),
  );
}

/** Describes an event in one line, as far as its field names allow. */
function otherEvent(body: Payload, { event = '' }: NativeHints): NativeMessage {
  const subject = event || body.text('ref_type') || (body.keys.find((name) => !COMMON.has(name)) ?? 'event');
  const of = body.object(subject);
  const name =
    ['title', 'name', 'full_name'].map((field) => of.text(field)).find((text) => text !== '') ||
    line(
      of.text('sponsor', 'login') || of.text('account', 'login'),
      of.text('tier', 'name') || of.text('plan', 'name'),
    ) ||
    body.text('ref');
  const what = firstLine(line(subject.replaceAll('_', ' '), body.text('action'), name));
  return info([`${actorOf(body)}: ${what}`], of.text('html_url') || body.text('repository', 'html_url'));
}

/**
 * Returns the thread key of a GitHub, Gitea or Forgejo event: its pull request or issue (which
 * share their numbers), run or check suite.
 */
function subjectKeys(body: Payload): NativeKeys {
  const place = body.text('repository', 'id') || body.text('repository', 'full_name');
  const subject = ['pull_request', 'issue'].find((name) => body.isObject(name));
  if (subject !== undefined)
    return threadKeys(keyOf('github', place, `#${body.text(subject, 'number') || body.text('number')}`));
  const run = body.text('workflow_run', 'id') || body.text('workflow_job', 'run_id');
  if (run !== '') return threadKeys(keyOf('github-run', place, run));
  const suite = body.text('check_suite', 'id') || body.text('check_run', 'check_suite', 'id');
  return threadKeys(keyOf('github-checks', place, suite));
}
