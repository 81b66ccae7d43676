import { Injectable } from '@nestjs/common';
import { Metrics, WORK_SECONDS } from '@tieline/platform/observability';

/**
 * From a commit to the receiver's 2xx: milliseconds when all is well, hours behind a receiver that
 * was down.
 */
const LATENCY_SECONDS = [
  0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400,
];

/** What is counted of outbox and deliveries. */
@Injectable()
export class DeliveryMetrics {
  private readonly outboxEvents = this.metrics.gauge(
    'tieline_outbox_events',
    'Events in the outbox not planned yet',
  );
  private readonly outboxAge = this.metrics.gauge(
    'tieline_outbox_age_seconds',
    'Age of the oldest event in the outbox',
  );
  private readonly leader = this.metrics.gauge(
    'tieline_outbox_relay_leader',
    '1 in the process that leads the relay',
  );
  private readonly blocked = this.metrics.gauge(
    'tieline_outbox_relay_blocked',
    '1 while no event can be planned because program and schema do not match',
  );
  private readonly heldSpaces = this.metrics.gauge(
    'tieline_outbox_relay_held_spaces',
    'Spaces planned separately because many of their events fail',
  );
  private readonly relayed = this.metrics.counter(
    'tieline_outbox_relayed_total',
    'Events planned by the relay',
  );
  private readonly rejected = this.metrics.counter(
    'tieline_outbox_rejected_total',
    'Events moved to outbox_rejected because they could not be planned',
    ['type'],
  );
  private readonly deliveries = this.metrics.counter('tieline_deliveries_total', 'Deliveries by outcome', [
    'kind',
    'outcome',
  ]);
  private readonly attempts = this.metrics.histogram(
    'tieline_delivery_attempt_duration_seconds',
    'Duration of delivery attempts by class of response',
    ['kind', 'answer'],
    WORK_SECONDS,
  );
  private readonly latency = this.metrics.histogram(
    'tieline_delivery_latency_seconds',
    "Time from an event to the receiver's 2xx, by first or later attempt",
    ['kind', 'attempt'],
    LATENCY_SECONDS,
  );
  private readonly pending = this.metrics.gauge('tieline_deliveries_pending', 'Open deliveries by lane', [
    'lane',
  ]);
  private readonly due = this.metrics.gauge(
    'tieline_deliveries_due',
    'Deliveries that could be sent now, at most 100 per target',
  );
  private readonly breakers = this.metrics.gauge(
    'tieline_delivery_breakers_open',
    'Targets with an open circuit breaker',
  );
  private readonly dueAge = this.metrics.gauge(
    'tieline_delivery_due_age_seconds',
    'How long the oldest due delivery has waited',
  );
  private readonly snapshotSeconds = this.metrics.gauge(
    'tieline_database_oldest_snapshot_seconds',
    'Age of the oldest snapshot held by a PostgreSQL session',
  );
  private readonly snapshotTransactions = this.metrics.gauge(
    'tieline_database_oldest_snapshot_transactions',
    'Transactions since the oldest snapshot held by a session, prepared transaction or replication slot',
  );

  constructor(private readonly metrics: Metrics) {}

  /** What the outbox holds now. */
  outbox(events: number, ageSeconds: number): void {
    this.outboxEvents.set(events);
    this.outboxAge.set(ageSeconds);
  }

  /** Records whether this process leads the relay. */
  relayLeads(is: boolean): void {
    this.leader.set(is ? 1 : 0);
    if (is) return;
    this.relayHolds(0);
    this.relayBlocked(false);
  }

  /** Records whether nothing can be planned because program and schema do not match. */
  relayBlocked(is: boolean): void {
    this.blocked.set(is ? 1 : 0);
  }

  /** Records how many spaces the relay plans separately. */
  relayHolds(spaces: number): void {
    this.heldSpaces.set(spaces);
  }

  /** A batch was planned. */
  outboxRelayed(events: number): void {
    this.relayed.inc(events);
  }

  /** An event was set aside. */
  outboxRejected(type: string): void {
    this.rejected.labels(type).inc();
  }

  /** A claimed delivery is finished. */
  delivery(kind: string, outcome: string): void {
    this.deliveries.labels(kind, outcome).inc();
  }

  /** One attempt was made; without a status the receiver did not answer. */
  attempt(kind: string, statusCode: number | null, durationMs: number): void {
    const answer = statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`;
    this.attempts.labels(kind, answer).observe(durationMs / 1000);
  }

  /** Records how many milliseconds after its commit an event reached a receiver. */
  arrived(kind: string, attempts: number, ms: number): void {
    this.latency.labels(kind, attempts === 1 ? 'first' : 'later').observe(Math.max(0, ms) / 1000);
  }

  /** What is to be sent, and how much of it could be sent now. */
  pendingDeliveries(lanes: { first: number; retry: number; test: number }, due: number): void {
    for (const [lane, count] of Object.entries(lanes)) this.pending.labels(lane).set(count);
    this.due.set(due);
  }

  /** How many breakers are open now. */
  openBreakers(count: number): void {
    this.breakers.set(count);
  }

  /** How long the delivery that is due longest has been waiting; 0 when none is due. */
  dueDeliveries(ageSeconds: number): void {
    this.dueAge.set(ageSeconds);
  }

  /**
   * The oldest snapshot in PostgreSQL: what was deleted since it was taken cannot be cleared away.
   */
  oldestSnapshot(seconds: number, transactions: number): void {
    this.snapshotSeconds.set(seconds);
    this.snapshotTransactions.set(transactions);
  }

  /** Relay or engine failed; the work is tried again. */
  failed(part: 'relay' | 'delivery'): void {
    this.metrics.failure(part);
  }

  /** Asks for values just before a scrape. */
  onScrape(ask: () => Promise<void>): void {
    this.metrics.onScrape(ask);
  }
}
