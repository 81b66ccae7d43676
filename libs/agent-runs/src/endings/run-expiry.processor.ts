import { Processor } from '@nestjs/bullmq';
import { EditMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { AgentRunSettings } from '../agent-runs.settings.js';
import { expireAgentRuns } from './expire-agent-runs.js';

export const RUN_EXPIRY = 'run-expiry';
const LOOK_MS = 1000;

/** Expires idle runs. */
@Processor(RUN_EXPIRY, DUTY_OPTIONS)
export class RunExpiryProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    private readonly settings: AgentRunSettings,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const errors = await expireAgentRuns(this.db, this.editMessage, this.settings.timeoutSeconds);
    if (errors.length > 0)
      throw new Error(`${errors.length} agent runs could not be ended`, { cause: errors[0] });
  }
}
