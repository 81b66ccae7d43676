import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { requireReadable } from '../../access/require-readable.js';
import { messageDeleted, messageNotFound } from '../../conversations.errors.js';
import type { FeedbackView } from '../../events/feedback.view.js';
import type { MessageView } from '../../events/shown-message.js';
import { MessageAttachments } from '../../ports/message-attachments.js';
import { MessageFeedback } from '../../ports/message-feedback.js';
import { messageFor, MetadataVisibility, viewerOf } from '../../ports/metadata-visibility.js';
import { findMessage } from '../message.queries.js';
import type { Message } from '../message.queries.js';
import { messageView } from '../message.view.js';
import { THREADS_OF_MESSAGES } from '../threads/thread.statements.js';

type Reader = BotPrincipal | UserPrincipal;

/**
 * Builds messages as a reader sees them over HTTP: with files, permalinks, titles and reply counts
 * of threads, feedback, and the buttons visible to the reader.
 */
@Injectable()
export class ShownMessages {
  constructor(
    private readonly attachments: MessageAttachments,
    private readonly visibility: MetadataVisibility,
    private readonly feedback: MessageFeedback,
    private readonly settings: PlatformSettings,
  ) {}

  /** Returns the messages as the reader sees them. The caller checks read access. */
  async to(q: Queryable, reader: Reader, messages: readonly Message[]): Promise<MessageView[]> {
    const ids = messages.map(({ id }) => id);
    const files = await this.attachments.of(q, reader.spaceId, ids);
    // Only people get facts of threads and feedback; the message fields for bots are fixed.
    const person = reader.kind === 'user' ? reader : undefined;
    const threads = person && (await threadFieldsOf(q, person.spaceId, messages));
    const feedback = person && (await this.feedback.of(q, person, messages));
    const viewer = viewerOf(reader);
    return messages.map((message) => ({
      ...messageFor(this.visibility, messageView(message, files.get(message.id)), viewer),
      ...threads?.get(message.id),
      ...feedbackField(feedback?.get(message.id)),
      permalink: this.permalink(message),
    }));
  }

  /**
   * Returns one message, under the access rules of history.
   * @throws 404 unknown in the reader's space; 403 the reader may not read its conversation; 410
   * deleted
   */
  async one(q: Queryable, reader: Reader, messageId: string): Promise<MessageView> {
    const message = await findMessage(q, reader.spaceId, messageId);
    if (!message) throw messageNotFound();
    await requireReadable(q, reader, message.conversationId);
    if (message.deletedAt !== null) throw messageDeleted();
    const [shown] = await this.to(q, reader, [message]);
    return shown as MessageView;
  }

  private permalink({ conversationId, id }: Message): string {
    return `${this.settings.publicUrl}/c/${conversationId}/${id}`;
  }
}

function feedbackField(feedback: FeedbackView | undefined): Pick<MessageView, 'feedback'> {
  return feedback === undefined ? {} : { feedback };
}

type ThreadFields = Pick<MessageView, 'reply_count' | 'last_reply_at' | 'thread_title'>;

/** Returns the fields of threads for the messages that have one. */
export async function threadFieldsOf(
  q: Queryable,
  spaceId: string,
  messages: readonly Pick<Message, 'id' | 'threadId'>[],
): Promise<Map<string, ThreadFields>> {
  const roots = messages.filter(({ threadId }) => threadId === null).map(({ id }) => id);
  const rows = roots.length > 0 ? await q.query(THREADS_OF_MESSAGES, [spaceId, roots]) : [];
  return new Map(
    rows.map(({ rootMessageId, title, count, lastAt }) => [
      rootMessageId,
      {
        ...(lastAt !== null && { reply_count: count, last_reply_at: lastAt }),
        ...(title !== null && { thread_title: title }),
      },
    ]),
  );
}
