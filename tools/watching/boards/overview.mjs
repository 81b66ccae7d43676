import { processMetric, quantile, rate, ratio } from '../queries.mjs';

const REQUESTS = 'tieline_http_request_duration_seconds';

/** Is it well? */
export const overview = {
  uid: 'tieline-overview',
  title: 'Tieline: overview',
  panels: [
    {
      title: 'Processes',
      description: 'By kind and version. More than one version is an upgrade under way.',
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
      title: 'Requests that fail with 5xx',
      unit: 'percentunit',
      queries: [{ expr: ratio(`${REQUESTS}_count`, 'status=~"5.."'), legend: 'of all' }],
    },
    {
      title: 'How long requests take',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({ expr: quantile(q, REQUESTS), legend: `p${q * 100}` })),
    },
    {
      title: 'From commit to 2xx, first attempts',
      description: 'Everything between: outbox, planning, queue, request, answer.',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({
        expr: quantile(q, 'tieline_delivery_latency_seconds', { where: 'attempt="first"' }),
        legend: `p${q * 100}`,
      })),
    },
    {
      title: 'What waits',
      unit: 'short',
      queries: [
        { expr: 'max(tieline_outbox_events)', legend: 'events to be planned' },
        { expr: 'max by (lane) (tieline_deliveries_pending)', legend: 'deliveries: {{lane}}' },
        { expr: 'max(tieline_deliveries_due)', legend: 'deliveries that could be sent now' },
        {
          expr: 'max by (state) (tieline_notification_messages_waiting)',
          legend: 'notifications: {{state}}',
        },
      ],
    },
    {
      title: 'For how long it waits',
      unit: 's',
      queries: [
        { expr: 'max(tieline_outbox_age_seconds)', legend: 'events to be planned' },
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
      title: 'Processor',
      description: '1 is a core.',
      unit: 'short',
      queries: [processMetric('rate(process_cpu_seconds_total[$__rate_interval])')],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [processMetric('process_resident_memory_bytes')],
    },
    {
      title: 'Event loop, p99 of a turn',
      description: 'Over 0.1 s a process is at its limit.',
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
