import type { Callback } from '@tieline/egress';
import type { Queryable } from '@tieline/platform/database';

/**
 * Where the modals of slash commands are submitted to when their bot has no callback for clicks
 * (decisions, section 11.5). A lib above supplies it; a process that takes submissions doesn't
 * start without.
 */
export abstract class CommandCallbacks {
  /**
   * The address of a command and what it is signed with; undefined when the command is gone or has
   * none.
   */
  abstract find(
    q: Queryable,
    command: { spaceId: string; commandId: string },
  ): Promise<Pick<Callback, 'url' | 'secret' | 'previousSecret'> | undefined>;
}
