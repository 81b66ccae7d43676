import { severityOf, mostSevere } from '../../message/severity.js';
import type { Severity } from '../../message/severity.js';
import { line } from './native-format.js';
import type { NativeLink } from './native-format.js';
import type { Payload } from '../../message/payload.js';
import { alertKeys, keyOf } from './native-keys.js';
import type { NativeKeys } from './native-keys.js';

/** Number of alerts whose links are shown. The text lists all alerts. */
const LINKED_ALERTS = 5;
const ADDRESSES: readonly (readonly [label: string, ...path: string[]])[] = [
  ['Source', 'generatorURL'],
  ['Dashboard', 'dashboardURL'],
  ['Panel', 'panelURL'],
  ['Silence', 'silenceURL'],
  ['Runbook', 'annotations', 'runbook_url'],
];

/** Whether a body contains alerts in the format of the Prometheus ecosystem. */
export function hasAlerts(body: Payload): boolean {
  const around = ['status', 'receiver', 'groupKey', 'groupLabels', 'commonLabels', 'externalURL'];
  if (!body.has('alerts')) return body.text('version') === '4' && body.has('groupKey');
  if (!body.isList('alerts') || !around.some((name) => body.has(name))) return false;
  return body.count('alerts') === 0 || body.list('alerts').some(isAlert);
}

function isAlert(alert: Payload): boolean {
  return alert.isObject('labels') || alert.isObject('annotations') || alert.isText('status');
}

/** Whether no alert is firing any more. */
export function isResolved(body: Payload): boolean {
  const states = body.list('alerts').map((alert) => alert.word('status'));
  if (states.length === 0) return body.word('status') === 'resolved';
  return states.every((state) => (state || body.word('status')) === 'resolved');
}

/**
 * Returns the highest severity of the firing alerts. An alert without a severity label is a
 * warning. Returns `info` if none is firing.
 */
export function alertSeverity(body: Payload): Severity {
  if (isResolved(body)) return 'info';
  const firing = body.list('alerts').filter((alert) => alert.word('status') !== 'resolved');
  const labels = firing.map((alert) => alert.text('labels', 'severity'));
  const words = labels.length > 0 ? labels : [body.text('commonLabels', 'severity')];
  return mostSevere(words.map((word) => (word === '' ? 'warning' : severityOf(word)))) ?? 'warning';
}

/** Returns the title: how many alerts are firing, and their name. */
export function alertTitle(body: Payload): string {
  const firing = body.list('alerts').filter((alert) => alert.word('status') !== 'resolved').length;
  const name =
    body.text('commonLabels', 'alertname') ||
    body.text('groupLabels', 'alertname') ||
    [...new Set(body.list('alerts').map((alert) => alert.text('labels', 'alertname')))].join(', ') ||
    body.text('receiver');
  const state = isResolved(body) ? '[RESOLVED]' : firing > 0 ? `[FIRING:${firing}]` : '[FIRING]';
  return line(state, name);
}

/** Returns the lines of each alert: annotations, labels and values. */
export function alertLines(body: Payload): string[] {
  const alerts = body.list('alerts');
  if (alerts.length === 0)
    return [...wordsOf(body.object('commonAnnotations')), labelsOf(body.object('commonLabels'))];
  const truncated = Math.max(Number(body.text('truncatedAlerts')) || 0, 0);
  const hidden = body.count('alerts') - alerts.length + truncated;
  return [...alerts.flatMap(linesOf), ...(hidden > 0 ? [`… and ${hidden} more`] : [])];
}

function linesOf(alert: Payload): string[] {
  const [first = '', ...others] = wordsOf(alert.object('annotations'));
  const state = alert.word('status') === 'resolved' ? 'resolved:' : '';
  const head = first || alert.text('labels', 'alertname');
  return [`• ${line(state, head)}`, ...others, labelsOf(alert.object('labels')), valuesOf(alert)];
}

function wordsOf(annotations: Payload): string[] {
  const words = ['summary', 'title', 'message', 'description'].map((name) => annotations.text(name));
  return [...new Set(words)].filter((word) => word !== '');
}

function labelsOf(labels: Payload): string {
  return labels.entries().map(pair).join(', ');
}

function valuesOf(alert: Payload): string {
  const values = alert.entries('values').map(pair).join(', ');
  return values === '' ? '' : `values: ${values}`;
}

function pair([name, value]: [string, string]): string {
  return `${name}=${value}`;
}

/** Returns the links of the alerts. */
export function alertLinks(body: Payload): NativeLink[] {
  return body
    .list('alerts')
    .slice(0, LINKED_ALERTS)
    .flatMap((alert) => ADDRESSES.map(([label, ...path]) => ({ label, url: alert.text(...path) })));
}

/** Uses the alert group as the key. */
export function groupKeys(kind: string, body: Payload): NativeKeys {
  return alertKeys(keyOf(kind, body.text('groupKey')), isResolved(body));
}
