import type { Queryable } from '@tieline/platform/database';

/** Where notices may be posted; the conversations lib supplies it. */
export abstract class NoticePlaces {
  /** @throws 400 unless it is a channel of the space that is not archived */
  abstract require(q: Queryable, spaceId: string, conversationId: string): Promise<void>;
}
