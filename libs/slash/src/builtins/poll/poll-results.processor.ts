import { Processor } from '@nestjs/bullmq';
import { EditMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { showForgottenVotes } from './show-forgotten-votes.js';

export const POLL_RESULTS = 'poll-results';
const LOOK_MS = 1000;

/** Shows the votes of polls whose own process left them behind. */
@Processor(POLL_RESULTS, DUTY_OPTIONS)
export class PollResultsProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const errors = await showForgottenVotes(this.db, this.editMessage);
    if (errors.length > 0)
      throw new Error(`${errors.length} polls could not be edited`, { cause: errors[0] });
  }
}
