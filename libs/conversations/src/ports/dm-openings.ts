import type { Db } from '@tieline/platform/database';

/** A direct chat that a person opened in a client. */
export interface DmOpening {
  spaceId: string;
  conversationId: string;
  userId: string;
  /** The bots of the chat. */
  botIds: readonly string[];
  /** The home of the bot instead of the chat. */
  tab?: 'home';
}

/** Tells bots that a person opened their direct chat. Provided by the bots lib. */
export abstract class DmOpenings {
  /**
   * Sends DM_OPENED and ASSISTANT_THREAD_STARTED to bots that select them
   * (docs/agents.md#opened-chats).
   */
  abstract announce(db: Db, opening: DmOpening): Promise<void>;
}
