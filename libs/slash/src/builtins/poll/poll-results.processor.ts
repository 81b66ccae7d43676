import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { VOTES_ARE_UNSHOWN } from './polls.statements.js';
import { AFTER_S, showMissedVotes } from './show-missed-votes.js';
import { UpdatePollMessage } from './update-poll-message.js';

export const POLL_RESULTS = 'poll-results';

/** Shows votes that the process which took them did not show. */
@Processor(POLL_RESULTS, DUTY_OPTIONS)
export class PollResultsProcessor extends Duty {
  override readonly due = () => ({ statement: VOTES_ARE_UNSHOWN, values: () => [AFTER_S] });

  constructor(
    private readonly db: Db,
    private readonly updateMessage: UpdatePollMessage,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const errors = await showMissedVotes(this.db, this.updateMessage);
    if (errors.length > 0)
      throw new Error(`${errors.length} polls could not be edited`, { cause: errors[0] });
  }
}
