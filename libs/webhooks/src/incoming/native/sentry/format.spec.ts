import { shown, testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'Sentry: an issue alert',
    bodies.firing,
    ['[error] ReferenceError: heck is not defined', 'at ?(<anonymous>)', 'Rule: Very Important Alert Rule!'],
    'critical',
    'https://sentry.io/organizations/o/issues/1117540176/events/e4/',
  ],
  [
    'Sentry: a metric alert',
    bodies.metricAlert,
    [
      'Critical: Too many errors',
      '1000 events in the last 10 minutes',
      'Filter: level:error',
      'Rule: Too many errors',
    ],
    'critical',
    'https://sentry.io/organizations/o/alerts/rules/details/1/',
  ],
  [
    'Sentry: a metric alert that is over',
    {
      ...bodies.metricAlert,
      action: 'resolved',
      data: {
        ...bodies.metricAlert.data,
        description_title: 'Too many errors',
        description_text: '',
        metric_alert: {},
      },
    },
    ['[RESOLVED] Too many errors'],
    'info',
    'https://sentry.io/organizations/o/alerts/rules/details/1/',
  ],
  [
    'Sentry: an issue that was resolved',
    bodies.resolved,
    ['[RESOLVED] [error] WEB-1 TypeError: x is undefined', 'at app.views', 'Issue resolved in web'],
    'info',
    'https://o.sentry.io/issues/1/',
  ],
  [
    'Sentry: the plugin of a project',
    bodies.plugin,
    ['[warning] Web: This is an example Python exception', 'at raven.scripts.runner in main'],
    'warning',
    'https://sentry.io/organizations/o/issues/27379932/?referrer=webhooks_plugin',
  ],
  [
    'Sentry: another event',
    { action: 'created', actor: {}, data: { installation: { uuid: 'a' } } },
    ['Sentry: created installation'],
    'info',
    undefined,
  ],
]);

testKeys([
  ['Sentry: alert of an issue', bodies.firing, { dedupKey: 'sentry:1117540176', resolved: false }],
  ['Sentry: resolved issue', bodies.resolved, { dedupKey: 'sentry:1117540176', resolved: true }],
  ['Sentry: metric alert', bodies.metricAlert, { dedupKey: 'sentry-metric:7', resolved: false }],
  ['Sentry: plugin', bodies.plugin, { dedupKey: 'sentry:27379932', resolved: false }],
]);

test('a comment of Sentry says who wrote what', () => {
  const data = { comment_id: 7, issue_id: 12, project_slug: 'shop', comment: 'Looking *at* it' };
  expect(shown({ action: 'created', actor: { name: 'Ann' }, data })).toMatchObject({
    lines: ['Ann commented on issue 12 in shop', String.raw`Looking \*at\* it`],
    severity: 'info',
  });
});
