import { Global, Module } from '@nestjs/common';
import { notFound } from '@tieline/platform/http';
import { TaskRuns } from '../runs/task-runs.js';

/** Stands for the lib of runs where there are none. */
export class NoRuns extends TaskRuns {
  override link(): Promise<void> {
    return Promise.reject(notFound('run_not_found', 'agent run not found'));
  }
}

/** Supplies {@link NoRuns}; global, as the module of the lib of runs is. */
@Global()
@Module({ providers: [{ provide: TaskRuns, useClass: NoRuns }], exports: [TaskRuns] })
export class NoRunsModule {}
