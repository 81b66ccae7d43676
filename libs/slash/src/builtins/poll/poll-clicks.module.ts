import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule } from '@tieline/conversations';
import { BuiltinClicks } from '@tieline/interactive';
import { SigningModule } from '@tieline/signing';
import { ClosePoll } from './close-poll.js';
import { PollClicks } from './poll-clicks.js';
import { PollMessageUpdater } from './poll-message-updater.js';
import { UpdatePollMessage } from './update-poll-message.js';

/**
 * Global because it provides the port `BuiltinClicks` of `@tieline/interactive`, which cannot
 * import this lib.
 */
@Global()
@Module({
  imports: [DatabaseModule, MessagesModule, SigningModule],
  providers: [
    ClosePoll,
    PollMessageUpdater,
    UpdatePollMessage,
    { provide: BuiltinClicks, useClass: PollClicks },
  ],
  exports: [BuiltinClicks],
})
export class PollClicksModule {}
