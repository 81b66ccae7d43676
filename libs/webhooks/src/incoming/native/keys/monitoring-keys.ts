import { createHash } from 'node:crypto';
import type { Payload } from '../payload.js';
import { isResolved } from '../prometheus-alerts.js';
import { alertKeys, keyOf } from './native-keys.js';
import type { NativeKeys } from './native-keys.js';

const KUMA_DOWN = '0';
const KUMA_UP = '1';

/** Uses Alertmanager's alert group as the key. */
export const alertmanagerKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('alertmanager', body.text('groupKey')), isResolved(body));

/** Uses Grafana's alert group as the key. */
export const grafanaKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('grafana', body.text('groupKey')), isResolved(body));

/**
 * Uses Uptime Kuma's monitor as the key. Other notifications (pending, maintenance, certificates)
 * have none.
 */
export function kumaKeys(body: Payload): NativeKeys {
  const status = body.text('heartbeat', 'status');
  if (status !== KUMA_DOWN && status !== KUMA_UP) return {};
  return alertKeys(keyOf('kuma', body.text('monitor', 'id')), status === KUMA_UP);
}

/** Uses the check as the key. Its ping address is secret, so the key contains only a hash of it. */
export function healthchecksKeys(body: Payload): NativeKeys {
  const status = body.word('status');
  if (status !== 'down' && status !== 'up') return {};
  const ping = body.text('ping_url');
  const ids = [
    ...['unique_key', 'uuid', 'code'].map((name) => body.text(name)),
    ping && createHash('sha256').update(ping).digest('hex'),
    ...['slug', 'name', 'check', 'check_name'].map((name) => body.text(name)),
  ];
  const id = ids.find((one) => one !== '') ?? '';
  return alertKeys(keyOf('healthchecks', id), status === 'up');
}

/** Uses Sentry's issue as the key, or the metric alert if there is no issue. */
export function sentryKeys(body: Payload): NativeKeys {
  const data = body.object('data');
  const isOver = body.word('action') === 'resolved';
  if (data.has('metric_alert'))
    return alertKeys(keyOf('sentry-metric', data.text('metric_alert', 'id')), isOver);
  const issue = data.text('issue', 'id') || data.text('event', 'issue_id') || data.text('error', 'issue_id');
  return alertKeys(keyOf('sentry', issue), isOver || data.text('issue', 'status') === 'resolved');
}

/** Uses the issue of Sentry's older plugin as the key. */
export const sentryPluginKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('sentry', body.text('id') || body.text('event', 'issue_id')), false);
