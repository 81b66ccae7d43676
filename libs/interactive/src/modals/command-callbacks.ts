import type { Callback } from '@tieline/egress';
import type { Queryable } from '@tieline/platform/database';

/** The trigger of a slash command. */
export interface CommandTrigger {
  id: string;
  botId: string;
  userId: string;
  conversationId: string;
  threadId: string | null;
  messageId: null;
  /** The command's name. */
  actionId: string;
  commandId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * Finds the callback that receives submissions of a slash command's modals if the bot has no
 * callback for clicks. A higher lib provides the implementation, and a process that takes
 * submissions does not start without one.
 */
export abstract class CommandCallbacks {
  /** Returns a command's callback; undefined if the command was deleted or has none. */
  abstract find(
    q: Queryable,
    command: { spaceId: string; commandId: string },
  ): Promise<Pick<Callback, 'url' | 'secret' | 'previousSecret'> | undefined>;

  /** Returns a command's trigger, expired or not; undefined if the command was deleted. */
  abstract findTrigger(
    q: Queryable,
    trigger: { spaceId: string; triggerId: string },
  ): Promise<CommandTrigger | undefined>;
}
