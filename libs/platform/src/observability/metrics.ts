import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LAG_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/** How long a scrape waits for values that have to be asked for, in milliseconds. */
const SCRAPE_MS = 1_000;

/** Numbers of a `pg.Pool`. */
export interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Every metric of a process. They are made here alone; other parts observe through the methods. */
export class Metrics {
  /** What `GET /metrics` shows. */
  readonly registry = new Registry();

  private readonly requests = this.histogram(
    'tieline_http_request_duration_seconds',
    'HTTP requests by route',
    ['method', 'route', 'status'],
    HTTP_SECONDS,
  );
  private readonly outboxEvents = this.gauge(
    'tieline_outbox_events',
    'Events in the outbox that are not planned yet',
  );
  private readonly outboxAge = this.gauge(
    'tieline_outbox_age_seconds',
    'Age of the oldest event in the outbox',
  );
  private readonly leader = this.gauge('tieline_outbox_relay_leader', '1 in the process whose relay leads');
  private readonly relayed = this.counter('tieline_outbox_relayed_total', 'Events planned by the relay');
  private readonly rejected = this.counter(
    'tieline_outbox_rejected_total',
    'Events set aside because they could not be planned',
    ['type'],
  );
  private readonly deliveries = this.counter('tieline_deliveries_total', 'Claimed deliveries by outcome', [
    'kind',
    'outcome',
  ]);
  private readonly attempts = this.histogram(
    'tieline_delivery_attempt_duration_seconds',
    'Attempts by class of answer',
    ['kind', 'answer'],
    ATTEMPT_SECONDS,
  );
  private readonly callbacks = this.histogram(
    'tieline_callback_duration_seconds',
    'Callbacks that a person waits for, by event and outcome',
    ['event', 'outcome'],
    ATTEMPT_SECONDS,
  );
  private readonly slashCommands = this.counter(
    'tieline_slash_commands_total',
    'Slash commands that were carried out, by outcome',
    ['outcome'],
  );
  private readonly interactions = this.counter(
    'tieline_interactions_total',
    'Clicks, selections and submitted modals, by event and what the person got',
    ['event', 'outcome'],
  );
  private readonly breakers = this.gauge(
    'tieline_delivery_breakers_open',
    'Targets whose circuit breaker is open',
  );
  private readonly dueAge = this.gauge(
    'tieline_delivery_due_age_seconds',
    'How long the delivery that is due longest has been waiting',
  );
  private readonly jobLag = this.histogram(
    'tieline_job_lag_seconds',
    'From the moment a job was due to the begin of its run',
    ['job'],
    LAG_SECONDS,
  );
  private readonly jobs = this.histogram(
    'tieline_job_duration_seconds',
    'Runs of jobs',
    ['job', 'outcome'],
    ATTEMPT_SECONDS,
  );
  private readonly wakeFailures = this.counter(
    'tieline_job_wake_failures_total',
    'Wake-ups and timers that the queue did not take',
    ['job'],
  );
  private readonly openStreams = this.gauge('tieline_streams_open', 'Open event streams');
  private readonly closedStreams = this.counter(
    'tieline_streams_closed_total',
    'Event streams that ended, by reason',
    ['reason'],
  );
  private readonly fileOutcomes = this.counter(
    'tieline_files_total',
    'Files by what became of them; attached_late and lost count messages',
    ['outcome'],
  );
  private readonly filesPending = this.gauge(
    'tieline_files_pending',
    'Messages whose files the store has not confirmed, and objects that are to be removed from it',
    ['work'],
  );
  private readonly pool = this.gauge(
    'tieline_database_connections',
    'Connections of the pool, and statements that wait for one',
    ['state'],
  );
  private readonly refusals = this.counter(
    'tieline_rate_limit_refusals_total',
    'Requests refused by a rate limit',
    ['limit'],
  );
  private readonly limiterFailures = this.counter(
    'tieline_rate_limit_unavailable_total',
    'Rate limit decisions that could not be made',
  );
  private readonly busDrops = this.counter(
    'tieline_bus_dropped_total',
    'Live messages that were dropped, by reason',
    ['reason'],
  );
  private readonly failures = this.counter(
    'tieline_failures_total',
    'Failures inside background work, by part',
    ['part'],
  );
  private readonly questions: (() => Promise<void>)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** One answered request; `route` is the pattern, never the URL. */
  request(method: string, route: string, status: number, durationMs: number): void {
    this.requests.labels(method, route, String(status)).observe(durationMs / 1000);
  }

  /** One question to a bot's callback address. */
  callback(event: string, outcome: string, durationMs: number): void {
    this.callbacks.labels(event, outcome).observe(durationMs / 1000);
  }

  /** Somebody gave a slash command; `failed` when its bot gave no usable answer. */
  slashCommand(outcome: string): void {
    this.slashCommands.labels(outcome).inc();
  }

  /** Somebody used a button, a select or a modal; `failed` when its bot gave no usable answer. */
  interaction(event: string, outcome: string): void {
    this.interactions.labels(event, outcome).inc();
  }

  /** What the outbox holds now. */
  outbox(events: number, ageSeconds: number): void {
    this.outboxEvents.set(events);
    this.outboxAge.set(ageSeconds);
  }

  /** Whether this process's relay leads. */
  relayLeads(leading: boolean): void {
    this.leader.set(leading ? 1 : 0);
  }

  /** A batch was planned. */
  outboxRelayed(events: number): void {
    this.relayed.inc(events);
  }

  /** An event was set aside. */
  outboxRejected(type: string): void {
    this.rejected.labels(type).inc();
  }

  /** A claimed delivery was carried to its end. */
  delivery(kind: string, outcome: string): void {
    this.deliveries.labels(kind, outcome).inc();
  }

  /** One attempt was made; without a status the receiver did not answer. */
  attempt(kind: string, statusCode: number | null, durationMs: number): void {
    this.attempts
      .labels(kind, statusCode === null ? 'none' : `${Math.floor(statusCode / 100)}xx`)
      .observe(durationMs / 1000);
  }

  /** How many breakers are open now. */
  openBreakers(count: number): void {
    this.breakers.set(count);
  }

  /** How long the delivery that is due longest has been waiting; 0 when none is due. */
  dueDeliveries(ageSeconds: number): void {
    this.dueAge.set(ageSeconds);
  }

  /** A job ran. */
  job(name: string, failed: boolean, durationMs: number, lagMs: number): void {
    this.jobs.labels(name, failed ? 'error' : 'ok').observe(durationMs / 1000);
    this.jobLag.labels(name).observe(lagMs / 1000);
  }

  /** A wake-up did not reach the queue. */
  wakeFailed(job: string): void {
    this.wakeFailures.labels(job).inc();
  }

  /** A stream opened, or closed for a reason. Fits `SseStreams.observe`. */
  streams(open: number, closed?: string): void {
    this.openStreams.set(open);
    if (closed !== undefined) this.closedStreams.labels(closed).inc();
  }

  /** Something became of files. */
  files(outcome: string, count = 1): void {
    if (count > 0) this.fileOutcomes.labels(outcome).inc(count);
  }

  /** What workers still have to do about files. */
  filesWaiting(checks: number, removals: number): void {
    this.filesPending.labels('check').set(checks);
    this.filesPending.labels('remove').set(removals);
  }

  /** Shows a pool's use at every scrape. */
  watchPool(pool: PoolCounts): void {
    this.onScrape(async () => {
      this.pool.labels('open').set(pool.totalCount);
      this.pool.labels('idle').set(pool.idleCount);
      this.pool.labels('waiting').set(pool.waitingCount);
    });
  }

  /** A request was refused; `limit` names the rule, not whom it met. */
  rateRefused(limit: string): void {
    this.refusals.labels(limit).inc();
  }

  /** The store of the counters was away. */
  rateUnavailable(): void {
    this.limiterFailures.inc();
  }

  /** Live messages were dropped. */
  busDropped(count: number, reason: string): void {
    this.busDrops.labels(reason).inc(count);
  }

  /** Something failed that nobody waits for. */
  failure(part: string): void {
    this.failures.labels(part).inc();
  }

  /** Asks for values just before a scrape; what takes over a second or fails leaves the last values. */
  onScrape(ask: () => Promise<void>): void {
    this.questions.push(ask);
  }

  /** The metrics in Prometheus' text format. */
  async text(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, SCRAPE_MS)));
    const asked = Promise.all(this.questions.map((ask) => ask().catch(() => this.failure('scrape'))));
    await Promise.race([asked, enough]);
    clearTimeout(timer);
    return this.registry.metrics();
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: string[], buckets: number[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
