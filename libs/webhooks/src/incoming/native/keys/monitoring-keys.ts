import { createHash } from 'node:crypto';
import type { Payload } from '../payload.js';
import { isResolved } from '../prometheus-alerts.js';
import { alertKeys, keyOf } from './native-keys.js';
import type { NativeKeys } from './native-keys.js';

const KUMA_DOWN = '0';
const KUMA_UP = '1';

/** Alertmanager's group of alerts. */
export const alertmanagerKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('alertmanager', body.text('groupKey')), isResolved(body));

/** Grafana's group of alerts. */
export const grafanaKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('grafana', body.text('groupKey')), isResolved(body));

/**
 * Uptime Kuma's monitor. Its other notifications (pending, maintenance, certificates) are messages
 * of their own.
 */
export function kumaKeys(body: Payload): NativeKeys {
  const status = body.text('heartbeat', 'status');
  if (status !== KUMA_DOWN && status !== KUMA_UP) return {};
  return alertKeys(keyOf('kuma', body.text('monitor', 'id')), status === KUMA_UP);
}

/** The check of healthchecks.io. The address to ping is a secret, so only its hash is kept. */
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

/** Sentry's issue, or the metric alert that has no issue. */
export function sentryKeys(body: Payload): NativeKeys {
  const data = body.object('data');
  const isOver = body.word('action') === 'resolved';
  if (data.has('metric_alert'))
    return alertKeys(keyOf('sentry-metric', data.text('metric_alert', 'id')), isOver);
  const issue = data.text('issue', 'id') || data.text('event', 'issue_id') || data.text('error', 'issue_id');
  return alertKeys(keyOf('sentry', issue), isOver || data.text('issue', 'status') === 'resolved');
}

/** The issue of Sentry's older plugin. */
export const sentryPluginKeys = (body: Payload): NativeKeys =>
  alertKeys(keyOf('sentry', body.text('id') || body.text('event', 'issue_id')), false);
