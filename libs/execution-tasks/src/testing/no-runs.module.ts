import { Global, Module } from '@nestjs/common';
import { notFound } from '@tieline/platform/http';
import { TaskRuns } from '../runs/task-runs.js';

/** Replaces the lib of runs in tests without runs. */
export class NoRuns extends TaskRuns {
  override link(): Promise<void> {
    return Promise.reject(notFound('run_not_found', 'agent run not found'));
  }
}

/** Provides {@link NoRuns}. Global, like the module of the lib of runs. */
@Global()
@Module({ providers: [{ provide: TaskRuns, useClass: NoRuns }], exports: [TaskRuns] })
export class NoRunsModule {}
