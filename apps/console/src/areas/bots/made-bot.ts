import type { CreatedBotAnswer } from '@tieline/sdk/api';

/** A created bot. It exists even if adding it to the channel failed. */
export interface MadeBot {
  made: CreatedBotAnswer;
  channelId: string | undefined;
  channelFailure: unknown;
}
