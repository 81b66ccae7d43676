import { quantile, rate } from '../queries.mjs';

/** Load on PostgreSQL, as the processes see it. */
export const database = {
  uid: 'tieline-database',
  title: 'Tieline: database',
  panels: [
    {
      title: 'Pool connections',
      unit: 'short',
      queries: [
        {
          expr: 'sum by (instance, state) (tieline_database_connections{state!="waiting"})',
          legend: '{{instance}} {{state}}',
        },
      ],
    },
    {
      title: 'Statements waiting for a connection',
      unit: 'short',
      queries: [
        { expr: 'sum by (instance) (tieline_database_connections{state="waiting"})', legend: '{{instance}}' },
      ],
    },
    {
      title: 'Oldest snapshot',
      description:
        'Rows deleted since cannot be removed. Over an hour: a long dump or a forgotten transaction.',
      unit: 's',
      queries: [{ expr: 'max(tieline_database_oldest_snapshot_seconds)', legend: 'of a session' }],
    },
    {
      title: 'Oldest snapshot, in transactions',
      description: 'Includes replication slots and prepared transactions.',
      unit: 'short',
      queries: [{ expr: 'max(tieline_database_oldest_snapshot_transactions)', legend: 'transactions' }],
    },
    {
      title: 'Backlog in tables',
      unit: 'short',
      queries: [
        { expr: 'max(tieline_outbox_events)', legend: 'outbox' },
        { expr: 'sum(max by (lane) (tieline_deliveries_pending))', legend: 'delivery_queue' },
        { expr: 'sum(max by (state) (tieline_notification_messages_waiting))', legend: 'notification_jobs' },
      ],
    },
    {
      title: 'Writes',
      description: 'Events, and attempts in the delivery log.',
      unit: 'ops',
      queries: [
        { expr: rate('tieline_outbox_relayed_total'), legend: 'events' },
        { expr: rate('tieline_delivery_attempt_duration_seconds_count'), legend: 'attempts' },
      ],
    },
    {
      title: 'Writes over HTTP, p99',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'tieline_http_request_duration_seconds', { where: 'method!="GET"' }),
          legend: 'p99',
        },
      ],
    },
    {
      title: 'Requests that got 503',
      unit: 'reqps',
      queries: [
        {
          expr: rate('tieline_http_request_duration_seconds_count', { where: 'status="503"', orZero: true }),
          legend: '503',
        },
      ],
    },
    {
      title: 'Failed scrapes of database metrics',
      unit: 'ops',
      queries: [
        { expr: rate('tieline_failures_total', { where: 'part="scrape"', orZero: true }), legend: 'scrapes' },
      ],
    },
  ],
};
