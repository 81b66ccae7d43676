import { processMetric, quantile, rate, ratio } from '../queries.mjs';

const REQUESTS = 'tieline_http_request_duration_seconds';

/** Health of the installation at a glance. */
export const overview = {
  uid: 'tieline-overview',
  title: 'Tieline: overview',
  panels: [
    {
      title: 'Processes',
      description: 'By kind and version. Several versions: an upgrade in progress.',
      type: 'stat',
      queries: [
        { expr: 'sum by (process, version) (tieline_build_info)', legend: '{{process}} {{version}}' },
      ],
    },
    {
      title: 'Requests',
      unit: 'reqps',
      queries: [{ expr: rate(`${REQUESTS}_count`, { by: 'status' }), legend: '{{status}}' }],
    },
    {
      title: 'Requests failing with 5xx',
      unit: 'percentunit',
      queries: [{ expr: ratio(`${REQUESTS}_count`, 'status=~"5.."'), legend: 'of all' }],
    },
    {
      title: 'Duration of requests',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({ expr: quantile(q, REQUESTS), legend: `p${q * 100}` })),
    },
    {
      title: 'From commit to 2xx, first attempts',
      description: 'Includes outbox, planning, queue, request and response.',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({
        expr: quantile(q, 'tieline_delivery_latency_seconds', { where: 'attempt="first"' }),
        legend: `p${q * 100}`,
      })),
    },
    {
      title: 'Backlog',
      unit: 'short',
      queries: [
        { expr: 'max(tieline_outbox_events)', legend: 'events' },
        { expr: 'max by (lane) (tieline_deliveries_pending)', legend: 'deliveries: {{lane}}' },
        { expr: 'max(tieline_deliveries_due)', legend: 'due deliveries' },
        {
          expr: 'max by (state) (tieline_notification_messages_waiting)',
          legend: 'notifications: {{state}}',
        },
      ],
    },
    {
      title: 'Age of the backlog',
      unit: 's',
      queries: [
        { expr: 'max(tieline_outbox_age_seconds)', legend: 'events' },
        { expr: 'max(tieline_delivery_due_age_seconds)', legend: 'deliveries' },
        { expr: 'max(tieline_notification_age_seconds)', legend: 'notifications' },
      ],
    },
    {
      title: 'Deliveries',
      unit: 'ops',
      queries: [{ expr: rate('tieline_deliveries_total', { by: 'outcome' }), legend: '{{outcome}}' }],
    },
    {
      title: 'Open streams',
      unit: 'short',
      queries: [{ expr: 'sum(tieline_streams_open)', legend: 'streams' }],
    },
    {
      title: 'CPU',
      description: '1 is one core.',
      unit: 'short',
      queries: [processMetric('rate(process_cpu_seconds_total[$__rate_interval])')],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [processMetric('process_resident_memory_bytes')],
    },
    {
      title: 'Event loop lag, p99',
      description: 'Above 0.1 s, a process is at its limit.',
      unit: 's',
      queries: [processMetric('nodejs_eventloop_lag_p99_seconds')],
    },
    {
      title: 'Failures of background work',
      unit: 'ops',
      queries: [{ expr: rate('tieline_failures_total', { orZero: true }), legend: 'all parts' }],
    },
  ],
};
