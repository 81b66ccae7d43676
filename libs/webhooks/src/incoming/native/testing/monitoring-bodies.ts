/* Bodies of monitoring programs, with the fields that they really have and texts of our own. */

const CPU = { alertname: 'HighCPU', instance: 'db1:9100', severity: 'critical' };
const FIRING = {
  status: 'firing',
  labels: CPU,
  annotations: {
    summary: 'CPU of db1 over 90%',
    description: 'since *ten* minutes <!channel>',
    runbook_url: 'https://rb.example/cpu',
  },
  startsAt: '2026-11-22T09:00:00.000Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus:9090/graph?g0.expr=cpu',
  fingerprint: 'c1a2b3c4d5e6f708',
};

/** Alertmanager, `webhook_configs`, version 4. */
export const ALERTMANAGER_FIRING = {
  version: '4',
  groupKey: '{}:{alertname="HighCPU"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'chat',
  groupLabels: { alertname: 'HighCPU' },
  commonLabels: { alertname: 'HighCPU' },
  commonAnnotations: {},
  externalURL: 'https://am.example',
  alerts: [
    { ...FIRING, labels: { ...CPU, instance: 'web1:9100', severity: 'warning' } },
    FIRING,
    { ...FIRING, status: 'resolved', labels: { ...CPU, instance: 'old:9100' } },
  ],
};

export const ALERTMANAGER_RESOLVED = {
  ...ALERTMANAGER_FIRING,
  status: 'resolved',
  alerts: [{ ...FIRING, status: 'resolved', endsAt: '2026-11-22T09:30:00.000Z' }],
};

/** Grafana, contact point of type webhook. */
export const GRAFANA_FIRING = {
  receiver: 'chat',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'High memory', grafana_folder: 'ops', team: 'blue' },
      annotations: { description: 'The system has high memory usage' },
      startsAt: '2026-11-22T09:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://grafana.example/alerting/grafana/f1/view?orgId=1',
      fingerprint: 'c6eadffa33fcdf37',
      silenceURL: 'https://grafana.example/alerting/silence/new?alertmanager=grafana',
      dashboardURL: '',
      panelURL: '',
      values: { B: 44.23, C: 1 },
      valueString: "[ var='B' labels={} value=44.23 ]",
    },
  ],
  groupLabels: { alertname: 'High memory' },
  commonLabels: { alertname: 'High memory', team: 'blue' },
  commonAnnotations: {},
  externalURL: 'https://grafana.example/',
  version: '1',
  groupKey: '{}:{alertname="High memory"}',
  truncatedAlerts: 0,
  title: '[FIRING:1] High memory (ops blue)',
  state: 'alerting',
  message: '**Firing**\n\nValue: B=44.23\nLabels:\n - alertname = High memory\n',
};

export const GRAFANA_RESOLVED = {
  ...GRAFANA_FIRING,
  status: 'resolved',
  state: 'ok',
  title: 'Memory is fine',
  message: 'written by hand',
  alerts: GRAFANA_FIRING.alerts.map((alert) => ({
    ...alert,
    status: 'resolved',
    values: null,
    generatorURL: '',
  })),
};

export const GRAFANA_OLD = {
  dashboardId: 1,
  evalMatches: [{ value: 100, metric: 'High value', tags: null }],
  imageUrl: 'https://grafana.com/assets/img/blog/mixed_styles.png',
  message: 'Someone is testing',
  orgId: 0,
  panelId: 1,
  ruleId: 0,
  ruleName: 'Test rule',
  ruleUrl: 'http://localhost:3000/',
  state: 'alerting',
  tags: {},
  title: '[Alerting] Test rule',
};

const EVENT = {
  event_id: 'e4874d664c3540c1a32eab185f12c5ab',
  culprit: '?(<anonymous>)',
  environment: 'production',
  issue_id: '1117540176',
  issue_url: 'https://sentry.io/api/0/issues/1117540176/',
  level: 'error',
  logger: '',
  message: '',
  metadata: { filename: '/static/app.js', type: 'ReferenceError', value: 'heck is not defined' },
  platform: 'javascript',
  project: 1,
  tags: [['level', 'error']],
  title: 'ReferenceError: heck is not defined',
  type: 'error',
  url: 'https://sentry.io/api/0/projects/o/p/events/e4/',
  web_url: 'https://sentry.io/organizations/o/issues/1117540176/events/e4/',
};
const ACTOR = { id: 'sentry', name: 'Sentry', type: 'application' };
const INSTALLATION = { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' };

export const SENTRY_ISSUE_ALERT = {
  action: 'triggered',
  actor: ACTOR,
  installation: INSTALLATION,
  data: { event: EVENT, triggered_rule: 'Very Important Alert Rule!' },
};

export const SENTRY_METRIC_ALERT = {
  action: 'critical',
  actor: ACTOR,
  installation: INSTALLATION,
  data: {
    description_text: '1000 events in the last 10 minutes\nFilter: level:error',
    description_title: 'Critical: Too many errors',
    metric_alert: {
      id: '7',
      title: 'Too many errors',
      status: 20,
      alert_rule: { id: '1', name: 'Too many errors', triggers: [] },
    },
    web_url: 'https://sentry.io/organizations/o/alerts/rules/details/1/',
  },
};

export const SENTRY_ISSUE = {
  action: 'resolved',
  actor: { id: 7, name: 'Ann', type: 'user' },
  installation: INSTALLATION,
  data: {
    issue: {
      id: '1',
      shortId: 'WEB-1',
      title: 'TypeError: x is undefined',
      culprit: 'app.views',
      level: 'error',
      status: 'resolved',
      project: { id: '1', name: 'web', slug: 'web' },
      metadata: { value: 'x is undefined' },
      web_url: 'https://o.sentry.io/issues/1/',
      permalink: null,
    },
  },
};

export const SENTRY_PLUGIN = {
  id: '27379932',
  project: 'web',
  project_name: 'Web',
  project_slug: 'web',
  logger: null,
  level: 'warning',
  culprit: 'raven.scripts.runner in main',
  message: 'This is an example Python exception',
  url: 'https://sentry.io/organizations/o/issues/27379932/?referrer=webhooks_plugin',
  triggering_rules: [],
  event: { event_id: 'd2', title: 'This is an example Python exception', level: 'warning', tags: [] },
};

const MONITOR = {
  id: 1,
  name: 'Site',
  description: null,
  url: 'https://site.example/health',
  hostname: null,
  port: null,
  type: 'http',
  active: true,
};

export const KUMA_DOWN = {
  heartbeat: {
    monitorID: 1,
    status: 0,
    time: '2026-11-22 09:00:00.000',
    msg: 'timeout of 48000ms exceeded',
    important: true,
    duration: 60,
  },
  monitor: MONITOR,
  msg: '[Site] [🔴 Down] timeout of 48000ms exceeded',
};

export const KUMA_UP = {
  ...KUMA_DOWN,
  heartbeat: { ...KUMA_DOWN.heartbeat, status: 1, msg: '200 - OK' },
  msg: '[Site] [✅ Up] 200 - OK',
};

export const KUMA_TEST = { heartbeat: null, monitor: null, msg: 'chat Testing' };

export const HEALTHCHECKS_DOWN = {
  name: 'Nightly backup',
  slug: 'nightly-backup',
  tags: 'prod db',
  desc: 'dumps of all databases',
  grace: 600,
  n_pings: 7,
  status: 'down',
  started: false,
  last_ping: '2026-11-21T02:00:00+00:00',
  next_ping: null,
  manual_resume: false,
  methods: '',
  subject: '',
  filter_subject: false,
  ping_url: 'https://hc-ping.com/803f680d-e89b-492b-82ef-2be7b774a92d',
  update_url: 'https://healthchecks.io/api/v3/checks/803f680d-e89b-492b-82ef-2be7b774a92d',
  channels: 'a,b',
  timeout: 86400,
};

/** A template that an admin wrote. */
export const HEALTHCHECKS_UP = {
  name: 'Nightly backup',
  status: 'up',
  'current time': '2026-11-22T02:00:10+00:00',
  code: '803f680d',
};

export const APPRISE_JSON = {
  version: '1.0',
  title: 'Backup',
  message: 'db1 *failed* @channel',
  attachments: [],
  type: 'failure',
};
