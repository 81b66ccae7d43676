import type { Queryable } from '@tieline/platform/database';

/** Checks where notices may be posted. The conversations lib implements it. */
export abstract class NoticePlaces {
  /** @throws 400 unless the conversation is an unarchived channel of the space */
  abstract require(q: Queryable, spaceId: string, conversationId: string): Promise<void>;
}
