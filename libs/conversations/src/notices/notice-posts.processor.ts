import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { NOTICES_ARE_DUE } from '@tieline/spaces';
import { CreateMessage } from '../messages/create-message.js';
import { postNotices } from './post-notices.js';

export const NOTICE_POSTS = 'notice-posts';

/** Posts notices to admins in the conversation that they chose. */
@Processor(NOTICE_POSTS, DUTY_OPTIONS)
export class NoticePostsProcessor extends Duty {
  override readonly due = () => ({ statement: NOTICES_ARE_DUE });

  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    const errors = await postNotices(this.db, this.createMessage, signal);
    if (errors.length > 0)
      throw new Error(`${errors.length} notices could not be posted`, { cause: errors[0] });
  }
}
