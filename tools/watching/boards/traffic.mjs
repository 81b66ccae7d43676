import { quantile, rate } from '../queries.mjs';

const REQUESTS = 'tieline_http_request_duration_seconds';

/** Whatever comes in, and callbacks while a person waits. */
export const doors = {
  uid: 'tieline-doors',
  title: 'Tieline: doors',
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
      title: 'Refused requests',
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
      title: 'Rates that could not be asked',
      unit: 'ops',
      queries: [{ expr: rate('tieline_rate_limit_unavailable_total'), legend: 'requests' }],
    },
    {
      title: 'Open streams',
      unit: 'short',
      queries: [{ expr: 'sum by (instance) (tieline_streams_open)', legend: '{{instance}}' }],
    },
    {
      title: 'Streams that ended',
      unit: 'ops',
      queries: [{ expr: rate('tieline_streams_closed_total', { by: 'reason' }), legend: '{{reason}}' }],
    },
    {
      title: 'Live events that were dropped',
      unit: 'ops',
      queries: [{ expr: rate('tieline_bus_dropped_total', { orZero: true }), legend: 'events' }],
    },
    {
      title: 'Files that wait',
      description:
        'check: messages whose files are not confirmed. remove: objects that are late to be removed.',
      unit: 'short',
      queries: [{ expr: 'max by (work) (tieline_files_pending)', legend: '{{work}}' }],
    },
    {
      title: 'What became of files',
      unit: 'ops',
      queries: [{ expr: rate('tieline_files_total', { orZero: true }), legend: 'files' }],
    },
  ],
};
