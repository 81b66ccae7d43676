import { asResolved, line } from '../parts/native-format.js';
import type { NativeFormat, NativeMessage } from '../parts/native-format.js';
import type { Severity } from '../../message/severity.js';
import type { Payload } from '../../message/payload.js';
import { alertKeys, keyOf } from '../parts/native-keys.js';
import type { NativeKeys } from '../parts/native-keys.js';
import { bodySignature } from '../parts/signatures.js';

const LEVELS: ReadonlyMap<string, Severity> = new Map([
  ['fatal', 'critical'],
  ['error', 'critical'],
  ['warning', 'warning'],
]);
const ACTIONS: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['warning', 'warning'],
]);
const SUBJECTS = ['event', 'error', 'issue', 'metric_alert', 'installation', 'issue_alert'];

/**
 * Webhooks of Sentry's integration platform: issue alerts, metric alerts, issues and errors. Other
 * events become one line.
 */
export const SENTRY: NativeFormat = {
  name: 'Sentry',
  recognizes: (body) => {
    const data = body.object('data');
    return body.isText('action') && (SUBJECTS.some((name) => data.isObject(name)) || isComment(data));
  },
  read: (body) => {
    const data = body.object('data');
    if (data.has('metric_alert')) return metricAlert(body, data);
    if (data.isObject('event')) return event(data.object('event'), data);
    if (data.isObject('error')) return event(data.object('error'), data);
    if (data.isObject('issue')) return issue(body, data.object('issue'));
    if (isComment(data)) return comment(body, data);
    return { lines: [line('Sentry:', body.text('action'), data.keys[0] ?? '')], links: [], severity: 'info' };
  },
  keys: alertOrIssueKeys,
  signature: bodySignature('sentry-hook-signature'),
};

function isComment(data: Payload): boolean {
  return data.has('comment_id') && (data.isText('comment') || data.has('issue_id'));
}

function comment(body: Payload, data: Payload): NativeMessage {
  const who = body.text('actor', 'name') || 'someone';
  const action = body.word('action') === 'created' ? 'commented on' : `${body.text('action')} a comment on`;
  const project = data.text('project_slug');
  return {
    lines: [
      line(who, action, 'issue', data.text('issue_id'), project && `in ${project}`),
      data.text('comment'),
    ],
    links: [],
    severity: 'info',
  };
}

function metricAlert(body: Payload, data: Payload): NativeMessage {
  const action = body.word('action');
  const title = data.text('description_title') || data.text('metric_alert', 'title') || 'Metric alert';
  const rule = data.text('metric_alert', 'alert_rule', 'name');
  return {
    lines: [
      action === 'resolved' ? asResolved(title) : title,
      data.text('description_text'),
      rule && `Rule: ${rule}`,
    ],
    links: [{ label: 'Open', url: data.text('web_url') }],
    severity: ACTIONS.get(action) ?? 'info',
  };
}

function event(of: Payload, data: Payload): NativeMessage {
  const title = of.text('title') || of.text('metadata', 'title') || of.text('message') || 'Event';
  const rule = data.text('triggered_rule') || data.text('issue_alert', 'title');
  return {
    lines: [line(levelOf(of), title), ...detailsOf(of, title), rule && `Rule: ${rule}`],
    links: [{ label: 'Open', url: of.text('web_url') }],
    severity: severityOfLevel(of),
  };
}

function issue(body: Payload, of: Payload): NativeMessage {
  const action = body.word('action');
  const title = line(levelOf(of), of.text('shortId'), of.text('title'));
  const isOver = action === 'resolved' || of.word('status') === 'resolved';
  const about = line('Issue', action, of.text('project', 'name') && `in ${of.text('project', 'name')}`);
  return {
    lines: [isOver ? asResolved(title) : title, ...detailsOf(of, title), about],
    links: [{ label: 'Open', url: of.text('web_url') || of.text('permalink') }],
    severity: isOver ? 'info' : severityOfLevel(of),
  };
}

function detailsOf(of: Payload, title: string): string[] {
  const [message, culprit] = [of.text('message') || of.text('metadata', 'value'), of.text('culprit')];
  return [title.includes(message) ? '' : message, culprit && `at ${culprit}`];
}

function levelOf(of: Payload): string {
  return of.text('level') && `[${of.text('level')}]`;
}

function severityOfLevel(of: Payload): Severity {
  return LEVELS.get(of.word('level')) ?? 'info';
}

/** Sentry's older "WebHooks" plugin of a project. */
export const SENTRY_LEGACY: NativeFormat = {
  name: 'Sentry',
  recognizes: (body) =>
    (body.has('project_name') || body.has('project_slug') || body.has('project')) &&
    body.isText('level') &&
    (body.isObject('event') || body.has('culprit')),
  read: (body) => {
    const title =
      body.text('event', 'title') || body.text('event', 'metadata', 'title') || body.text('message');
    const project = body.text('project_name') || body.text('project_slug') || body.text('project');
    return {
      lines: [
        line(levelOf(body), project && `${project}:`, title || body.text('culprit')),
        ...detailsOf(body, title),
      ],
      links: [{ label: 'Open', url: body.text('url') }],
      severity: severityOfLevel(body),
    };
  },
  keys: (body) => alertKeys(keyOf('sentry', body.text('id') || body.text('event', 'issue_id')), false),
};

/** Uses Sentry's issue as the key, or the metric alert if there is no issue. */
function alertOrIssueKeys(body: Payload): NativeKeys {
  const data = body.object('data');
  const isOver = body.word('action') === 'resolved';
  if (data.has('metric_alert'))
    return alertKeys(keyOf('sentry-metric', data.text('metric_alert', 'id')), isOver);
  const issue = data.text('issue', 'id') || data.text('event', 'issue_id') || data.text('error', 'issue_id');
  return alertKeys(keyOf('sentry', issue), isOver || data.text('issue', 'status') === 'resolved');
}
