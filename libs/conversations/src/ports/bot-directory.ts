import type { Queryable } from '@tieline/platform/database';

/** Which bots a space has; the bots lib supplies it. */
export abstract class BotDirectory {
  /** Which of these ids are bots of the space that are neither disabled nor deleted. */
  abstract findActive(q: Queryable, spaceId: string, ids: readonly string[]): Promise<string[]>;
}
