import type { NewBotAnswer } from '@tieline/sdk/api';

/** What was made. The bot is there even where the channel failed. */
export interface MadeBot {
  made: NewBotAnswer;
  channelId: string | undefined;
  channelFailure: unknown;
}
