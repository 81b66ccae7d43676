import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { VERSION } from '../config/index.js';
import { LOGGER } from './logger.js';
import { Metrics } from './metrics.js';

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Numbers of a `pg.Pool`. */
export interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Metrics of every process: build info, requests, and connections to the database. */
@Injectable()
export class ProcessMetrics {
  private readonly requests = this.metrics.histogram(
    'tieline_http_request_duration_seconds',
    'Duration of HTTP requests by route',
    ['method', 'route', 'status'],
    HTTP_SECONDS,
  );
  private readonly pool = this.metrics.gauge(
    'tieline_database_connections',
    'Connections of the pool, and statements waiting for one',
    ['state'],
  );

  constructor(
    private readonly metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const help = 'Always 1: version and kind of this process, and the Node.js that runs it';
    const build = metrics.gauge('tieline_build_info', help, ['version', 'process', 'node']);
    build.labels(VERSION, String(logger.bindings().process), process.version).set(1);
  }

  /** Counts one answered request; `route` is the pattern, never the URL. */
  request(method: string, route: string, status: number, durationMs: number): void {
    this.requests.labels(method, route, String(status)).observe(durationMs / 1000);
  }

  /** Shows the use of a pool at every scrape. */
  watchPool(pool: PoolCounts): void {
    this.metrics.onScrape(async () => {
      this.pool.labels('open').set(pool.totalCount);
      this.pool.labels('idle').set(pool.idleCount);
      this.pool.labels('waiting').set(pool.waitingCount);
    });
  }
}
