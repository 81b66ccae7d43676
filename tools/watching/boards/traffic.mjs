import { quantile, rate } from '../queries.mjs';

const REQUESTS = 'tieline_http_request_duration_seconds';

/** Incoming requests, callbacks and streams. */
export const traffic = {
  uid: 'tieline-traffic',
  title: 'Tieline: traffic',
  panels: [
    {
      title: 'Busiest routes',
      unit: 'reqps',
      queries: [
        {
          expr: `topk(10, ${rate(`${REQUESTS}_count`, { by: 'method, route' })})`,
          legend: '{{method}} {{route}}',
        },
      ],
    },
    {
      title: 'Slowest routes, p99',
      unit: 's',
      queries: [
        {
          expr: `topk(10, ${quantile(0.99, REQUESTS, { by: 'method, route' })})`,
          legend: '{{method}} {{route}}',
        },
      ],
    },
    {
      title: 'Rejected requests',
      unit: 'reqps',
      queries: [
        {
          expr: rate(`${REQUESTS}_count`, { by: 'route, status', where: 'status=~"4..|5.."' }),
          legend: '{{status}} {{route}}',
        },
      ],
    },
    {
      title: 'Incoming webhooks',
      unit: 'reqps',
      queries: [{ expr: rate('tieline_incoming_requests_total', { by: 'verdict' }), legend: '{{verdict}}' }],
    },
    {
      title: 'Clicks and modals',
      unit: 'ops',
      queries: [
        {
          expr: rate('tieline_interactions_total', { by: 'event, outcome' }),
          legend: '{{event}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Slash commands',
      unit: 'ops',
      queries: [{ expr: rate('tieline_slash_commands_total', { by: 'outcome' }), legend: '{{outcome}}' }],
    },
    {
      title: 'Callbacks to bots, p99',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'tieline_callback_duration_seconds', { by: 'event, outcome' }),
          legend: '{{event}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Over a rate',
      unit: 'ops',
      queries: [{ expr: rate('tieline_rate_limit_refusals_total', { by: 'limit' }), legend: '{{limit}}' }],
    },
    {
      title: 'Requests without a rate limiter',
      unit: 'ops',
      queries: [{ expr: rate('tieline_rate_limit_unavailable_total'), legend: 'requests' }],
    },
    {
      title: 'Open streams',
      unit: 'short',
      queries: [{ expr: 'sum by (instance) (tieline_streams_open)', legend: '{{instance}}' }],
    },
    {
      title: 'Closed streams',
      unit: 'ops',
      queries: [{ expr: rate('tieline_streams_closed_total', { by: 'reason' }), legend: '{{reason}}' }],
    },
    {
      title: 'Dropped live events',
      unit: 'ops',
      queries: [{ expr: rate('tieline_bus_dropped_total', { orZero: true }), legend: 'events' }],
    },
    {
      title: 'Pending files',
      description: 'check: messages with unconfirmed files. remove: overdue deletions of objects.',
      unit: 'short',
      queries: [{ expr: 'max by (work) (tieline_files_pending)', legend: '{{work}}' }],
    },
    {
      title: 'Files by outcome',
      unit: 'ops',
      queries: [{ expr: rate('tieline_files_total', { orZero: true }), legend: 'files' }],
    },
  ],
};
