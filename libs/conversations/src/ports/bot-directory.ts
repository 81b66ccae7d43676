import type { Queryable } from '@tieline/platform/database';

/** Looks up the bots of a space. Provided by the bots lib. */
export abstract class BotDirectory {
  /** Returns those of the given ids that are bots of the space and neither disabled nor deleted. */
  abstract findActive(q: Queryable, spaceId: string, ids: readonly string[]): Promise<string[]>;
}
