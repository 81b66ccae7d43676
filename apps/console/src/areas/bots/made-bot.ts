import type { CreatedBotAnswer } from '@tieline/sdk/api';

/** What was made. The bot is there even where the channel failed. */
export interface MadeBot {
  made: CreatedBotAnswer;
  channelId: string | undefined;
  channelFailure: unknown;
}
