import { ALERTMANAGER } from '../alertmanager.js';
import { GITHUB } from '../forges/github.js';
import { GITLAB } from '../forges/gitlab.js';
import { GRAFANA } from '../grafana.js';
import { HEALTHCHECKS } from '../healthchecks.js';
import type { NativeFormat } from '../native-format.js';
import type { Payload } from '../payload.js';
import { SENTRY, SENTRY_LEGACY } from '../sentry.js';
import { UPTIME_KUMA } from '../uptime-kuma.js';
import { githubKeys, gitlabKeys } from './forge-keys.js';
import {
  alertmanagerKeys,
  grafanaKeys,
  healthchecksKeys,
  kumaKeys,
  sentryKeys,
  sentryPluginKeys,
} from './monitoring-keys.js';
import type { NativeKeys } from './native-keys.js';

const KEYS: ReadonlyMap<NativeFormat, (body: Payload) => NativeKeys> = new Map([
  [ALERTMANAGER, alertmanagerKeys],
  [GRAFANA, grafanaKeys],
  [UPTIME_KUMA, kumaKeys],
  [HEALTHCHECKS, healthchecksKeys],
  [SENTRY, sentryKeys],
  [SENTRY_LEGACY, sentryPluginKeys],
  [GITHUB, githubKeys],
  [GITLAB, gitlabKeys],
]);

/** Returns the keys of a body in a native format. Empty for formats without keys. */
export function nativeKeys(format: NativeFormat, body: Payload): NativeKeys {
  return KEYS.get(format)?.(body) ?? {};
}
