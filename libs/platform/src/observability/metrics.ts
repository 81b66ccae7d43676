import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric } from 'prom-client';
import { doneWithin } from '@tieline/background';

/** How long a scrape waits for values that have to be fetched, in milliseconds. */
const SCRAPE_MS = 1_000;

/**
 * How often the delay of the event loop is measured, in milliseconds. Each time wakes the process.
 */
const LAG_MS = 50;

/** Upper bounds in seconds for work that takes milliseconds to half a minute. */
export const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of a process. Each lib declares its own in `<lib>.metrics.ts`: an injectable class
 * that requests them here. The same name always returns the same metric.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly questions: (() => Promise<void>)[] = [];
  private readonly failures = this.counter('tieline_failures_total', 'Failures of background work by part', [
    'part',
  ]);

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LAG_MS });
  }

  /** Returns the counter of that name, created on first use. `help` is its line in the scrape. */
  counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return this.once(name, () => new Counter({ name, help, labelNames, registers: [this.registry] }));
  }

  /** Returns the gauge of that name, created on first use. `help` is its line in the scrape. */
  gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return this.once(name, () => new Gauge({ name, help, labelNames, registers: [this.registry] }));
  }

  /** @param buckets their upper bounds, in seconds */
  histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    const registers = [this.registry];
    return this.once(name, () => new Histogram({ name, help, labelNames, buckets, registers }));
  }

  /** Counts a failure of background work. */
  failure(part: string): void {
    this.failures.labels(part).inc();
  }

  /**
   * Fetches values just before a scrape. If that takes over a second or fails, the last values
   * stay.
   */
  onScrape(ask: () => Promise<void>): void {
    this.questions.push(ask);
  }

  /** Returns the metrics in Prometheus' text format. */
  async text(): Promise<string> {
    const answered = Promise.all(this.questions.map((ask) => ask().catch(() => this.failure('scrape'))));
    await doneWithin(answered, SCRAPE_MS);
    return this.registry.metrics();
  }

  private once<M extends Metric>(name: string, make: () => M): M {
    return (this.registry.getSingleMetric(name) as M | undefined) ?? make();
  }
}
