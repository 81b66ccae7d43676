import { Global, Injectable, Module } from '@nestjs/common';
import type { Queryable } from '@tieline/platform/database';
import { NoticePlaces } from '@tieline/spaces';
import { findConversation } from '../conversation.queries.js';
import { noPlaceForNotices } from '../conversations.errors.js';

/** Accepts channels and voice chats, public or private, that are not archived. */
@Injectable()
class StoredNoticePlaces extends NoticePlaces {
  override async require(q: Queryable, spaceId: string, conversationId: string): Promise<void> {
    const conversation = await findConversation(q, spaceId, conversationId);
    if (!conversation) throw noPlaceForNotices.unknown();
    const { scope, rootMessageId, archivedAt } = conversation;
    if (scope === 'dm' || rootMessageId !== null) throw noPlaceForNotices.noChannel();
    if (archivedAt !== null) throw noPlaceForNotices.archived();
  }
}

/**
 * Global, because it provides `NoticePlaces` to lib spaces, which is lower and cannot import this
 * lib.
 */
@Global()
@Module({ providers: [{ provide: NoticePlaces, useClass: StoredNoticePlaces }], exports: [NoticePlaces] })
export class NoticePlacesModule {}
