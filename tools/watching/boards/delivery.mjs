import { quantile, rate } from '../queries.mjs';

const ATTEMPTS = 'tieline_delivery_attempt_duration_seconds';

/** Events and deliveries, from the outbox to the receiver. */
export const delivery = {
  uid: 'tieline-delivery',
  title: 'Tieline: delivery',
  panels: [
    {
      title: 'Events planned',
      unit: 'ops',
      queries: [{ expr: rate('tieline_outbox_relayed_total'), legend: 'planned' }],
    },
    {
      title: 'Outbox',
      description: 'Committed events that are not planned yet.',
      unit: 'short',
      queries: [{ expr: 'max(tieline_outbox_events)', legend: 'events' }],
    },
    {
      title: 'Oldest event in the outbox',
      unit: 's',
      queries: [{ expr: 'max(tieline_outbox_age_seconds)', legend: 'age' }],
    },
    {
      title: 'Relay',
      description:
        'Leaders: workers that plan, one per shard of the relay. Together they have 16 slots. Blocked: program and schema do not match. Held: spaces planned separately.',
      unit: 'short',
      queries: [
        { expr: 'sum(tieline_outbox_relay_leader)', legend: 'leaders' },
        { expr: 'sum(tieline_outbox_relay_slots)', legend: 'slots of 16' },
        { expr: 'max(tieline_outbox_relay_blocked)', legend: 'blocked' },
        { expr: 'max(tieline_outbox_relay_held_spaces)', legend: 'held spaces' },
        { expr: 'sum(tieline_outbox_rejected_total) or vector(0)', legend: 'rejected events' },
      ],
    },
    {
      title: 'Deliveries by outcome',
      unit: 'ops',
      queries: [
        { expr: rate('tieline_deliveries_total', { by: 'kind, outcome' }), legend: '{{kind}} {{outcome}}' },
      ],
    },
    {
      title: 'Responses of receivers',
      unit: 'ops',
      queries: [{ expr: rate(`${ATTEMPTS}_count`, { by: 'answer' }), legend: '{{answer}}' }],
    },
    {
      title: 'Response time of receivers, p99',
      unit: 's',
      queries: [{ expr: quantile(0.99, ATTEMPTS, { by: 'answer' }), legend: '{{answer}}' }],
    },
    {
      title: 'From commit to 2xx',
      description: 'Later attempts include the time a receiver was down.',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({
        expr: quantile(q, 'tieline_delivery_latency_seconds', { by: 'attempt' }),
        legend: `{{attempt}} p${q * 100}`,
      })),
    },
    {
      title: 'Pending deliveries',
      description: 'Each line counts up to 100,000.',
      unit: 'short',
      queries: [
        { expr: 'max by (lane) (tieline_deliveries_pending)', legend: '{{lane}}' },
        { expr: 'max(tieline_deliveries_due)', legend: 'due' },
      ],
    },
    {
      title: 'Oldest due delivery',
      unit: 's',
      queries: [{ expr: 'max(tieline_delivery_due_age_seconds)', legend: 'age' }],
    },
    {
      title: 'Open breakers',
      description: 'Receivers with ten consecutive failures.',
      unit: 'short',
      queries: [{ expr: 'max(tieline_delivery_breakers_open)', legend: 'receivers' }],
    },
    {
      title: "Postponed by the plan's rate",
      unit: 'ops',
      queries: [
        {
          expr: rate('tieline_rate_limit_refusals_total', { where: 'limit="delivery"', orZero: true }),
          legend: 'deliveries',
        },
      ],
    },
    {
      title: 'Background jobs: start delay, p99',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'tieline_job_lag_seconds', { by: 'exported_job' }),
          legend: '{{exported_job}}',
        },
      ],
    },
    {
      title: 'Background jobs: overdue',
      description: 'Time since the last successful run, minus the interval.',
      unit: 's',
      queries: [
        {
          expr: 'time() - max by (queue) (tieline_queue_last_run_timestamp_seconds) - max by (queue) (tieline_queue_interval_seconds)',
          legend: '{{queue}}',
        },
      ],
    },
    {
      title: 'Background jobs: runs',
      unit: 'ops',
      queries: [
        {
          expr: rate('tieline_job_duration_seconds_count', { by: 'exported_job, outcome' }),
          legend: '{{exported_job}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Lost wake-ups',
      unit: 'ops',
      queries: [{ expr: rate('tieline_job_wake_failures_total', { orZero: true }), legend: 'all queues' }],
    },
    {
      title: 'Notifications',
      unit: 'ops',
      queries: [
        { expr: rate('tieline_notification_messages_total', { by: 'outcome' }), legend: '{{outcome}}' },
      ],
    },
  ],
};
