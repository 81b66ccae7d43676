import { BullModule, getQueueToken, Processor } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, Environment } from '@tieline/platform/config';
import type { DueCheck } from '@tieline/platform/database';
import { HealthChecks, LOGGER, Metrics } from '@tieline/platform/observability';
import type { Queue as BullQueue } from 'bullmq';
import { pino } from 'pino';
import { DutyRunner } from '../duties/duty-runner.js';
import { Duty, DUTY_OPTIONS, Queue, QueueModule, QueueWorkerModule } from '../index.js';
import type { DutyRun } from '../index.js';

/** The parts of a rig. */
export interface RigParts {
  /** Queues that are woken here and processed elsewhere. */
  queues?: string[];
  /** Processors, created by {@link dutyOn}. */
  duties?: Type<Duty>[];
}

@Module({})
class RootModule {}

/** The providers of the process: without a database, so that the queue's server may be down. */
@Global()
@Module({})
class ProcessModule {
  static of(logged: (line: string) => void): DynamicModule {
    const logger = pino({ level: 'warn' }, { write: logged });
    const providers = [{ provide: LOGGER, useValue: logger }, Metrics, HealthChecks];
    return { module: ProcessModule, providers, exports: [LOGGER, Metrics, HealthChecks] };
  }
}

/** Creates a processor with its own queue, as a feature would. */
export function dutyOn(
  queue: string,
  work: (run: DutyRun) => Promise<void>,
  everyMs?: number,
  due?: Duty['due'],
): Type<Duty> {
  @Processor(queue, DUTY_OPTIONS)
  class TestDuty extends Duty {
    override readonly everyMs = everyMs;
    override readonly due = due as () => DueCheck;

    protected override run(run: DutyRun): Promise<void> {
      return work(run);
    }
  }
  return TestDuty;
}

/** A process with queues and processors, and nothing else. */
export class QueueRig {
  private constructor(
    private readonly app: INestApplicationContext,
    /** Logged warnings and errors. */
    readonly lines: string[],
  ) {}

  static async open(
    databaseUrl: string,
    redisUrl: string | undefined,
    { queues = [], duties = [] }: RigParts,
  ): Promise<QueueRig> {
    const environment = new Environment({
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      OPERATOR_TOKEN: 'operator-token-of-the-test',
    });
    const lines: string[] = [];
    const names = [
      ...queues,
      ...duties.map(
        (duty) => (Reflect.getMetadata('bullmq:processor_metadata', duty) as { name: string }).name,
      ),
    ];
    const root: DynamicModule = {
      module: RootModule,
      imports: [
        ConfigModule.of(environment),
        ProcessModule.of((line) => lines.push(line)),
        duties.length > 0 ? QueueWorkerModule : QueueModule,
        BullModule.registerQueue(...names.map((name) => ({ name }))),
      ],
      providers: duties,
    };
    return new QueueRig(
      await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false }),
      lines,
    );
  }

  get queue(): Queue {
    return this.app.get(Queue, { strict: false });
  }

  /** Whether every processor takes jobs. */
  get running(): boolean {
    return this.app.get(DutyRunner, { strict: false }).running;
  }

  /** BullMQ's own view of a queue. */
  bull(name: string): BullQueue {
    return this.app.get<BullQueue>(getQueueToken(name), { strict: false });
  }

  /** Returns a value of the process's metrics. */
  async metric(series: string): Promise<number | undefined> {
    const text = await this.app.get(Metrics, { strict: false }).text();
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
