import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { CreateMessage } from '../messages/create-message.js';
import { postNotices } from './post-notices.js';

export const NOTICE_POSTS = 'notice-posts';
const LOOK_MS = 1000;

/** Posts notices to admins in the conversation that they chose. */
@Processor(NOTICE_POSTS, DUTY_OPTIONS)
export class NoticePostsProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

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
