import type { Callback } from '@tieline/egress';
import type { Queryable } from '@tieline/platform/database';

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
}
