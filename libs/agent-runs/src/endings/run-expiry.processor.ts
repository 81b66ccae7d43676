import { Processor } from '@nestjs/bullmq';
import type { DueCheck } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { AgentRunSettings } from '../agent-runs.settings.js';
import { RUNS_ARE_DUE } from '../due-runs.statements.js';
import { ExpireAgentRuns } from './expire-agent-runs.js';

export const RUN_EXPIRY = 'run-expiry';

/** Cancels stopped runs and expires idle ones. */
@Processor(RUN_EXPIRY, DUTY_OPTIONS)
export class RunExpiryProcessor extends Duty {
  override readonly due = (): DueCheck => ({
    statement: RUNS_ARE_DUE,
    values: () => [this.settings.timeoutSeconds, this.settings.stopGraceSeconds],
  });

  constructor(
    private readonly expireRuns: ExpireAgentRuns,
    private readonly settings: AgentRunSettings,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const { timeoutSeconds, stopGraceSeconds } = this.settings;
    const errors = [
      ...(await this.expireRuns.cancelStopped(stopGraceSeconds)),
      ...(await this.expireRuns.run(timeoutSeconds)),
    ];
    if (errors.length > 0)
      throw new Error(`${errors.length} agent runs could not be ended`, { cause: errors[0] });
  }
}
