import type { Queryable } from '@tieline/platform/database';

/** The conversations that notices can be posted in; provided by the conversations lib. */
export abstract class NoticePlaces {
  /** @throws 400 unless it is a channel of the space that is not archived */
  abstract require(q: Queryable, spaceId: string, conversationId: string): Promise<void>;
}
