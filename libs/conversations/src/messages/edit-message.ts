import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../events/append-event.js';
import type { MessageView } from '../events/chat-event.js';
import { isMember, lockConversationOfMessage } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Actor, Refused } from './create-message.js';
import { isGuarded } from './edit-guard.js';
import { findMentions } from './mentions.js';
import { attachmentsOf } from './message-attachments.js';
import { findMessageToChange } from './message.queries.js';
import type { Message } from './message.queries.js';
import { messageData, messageView } from './message.view.js';

/** A change of a message's text or metadata. Lengths and metadata are the caller's to check. */
export interface MessageEdit {
  spaceId: string;
  messageId: string;
  /** Whoever edits: only the author may, unless access was granted. */
  editor: Actor;
  /** Absent: the text stays. */
  text?: string;
  /** null removes the metadata; absent: it stays. */
  metadataJson?: string | null;
  /** `granted`: something else than authorship allows it (a run that ends, an answer to a click). */
  access?: 'author' | 'granted';
}

/** Why nothing was changed. `not_member`: a person who has left the conversation since; `guarded`: see {@link registerEditGuard}. */
export type EditRefusal = 'unknown_message' | 'not_author' | 'not_member' | 'deleted' | 'guarded';

/** A message as it is after a change. */
export interface EditedMessage {
  message: MessageView;
  conversation: Conversation;
}

/**
 * Replaces a message's text, metadata or both, sets `edited_at` and appends MESSAGE_UPDATED. Takes the conversation's row
 * lock until the end of the transaction. An edit to the same text is an edit.
 *
 * @returns the message as it is now, or why it was refused; then nothing was written
 */
export async function editMessage(tx: Tx, edit: MessageEdit): Promise<EditedMessage | Refused<EditRefusal>> {
  const { spaceId, messageId, editor } = edit;
  const conversation = await lockConversationOfMessage(tx, spaceId, messageId);
  const found = conversation && (await findMessageToChange(tx, conversation, messageId));
  if (!found) return { refused: 'unknown_message' };
  const refused =
    edit.access === 'granted' ? undefined : await forbidden(tx, conversation, found.message, editor);
  if (refused) return { refused };
  if (found.message.deletedAt !== null) return { refused: 'deleted' };
  if (edit.access !== 'granted' && editor.type === 'bot' && (await isGuarded(tx, spaceId, found.message)))
    return { refused: 'guarded' };
  const text = edit.text ?? found.message.text;
  const message: Message = {
    ...found.message,
    text,
    mentions: edit.text === undefined ? found.message.mentions : await findMentions(tx, spaceId, text),
    metadataJson: edit.metadataJson === undefined ? found.message.metadataJson : edit.metadataJson,
    editedAt: found.now,
  };
  await store(tx, spaceId, message);
  const view = messageView(message, (await attachmentsOf(tx, spaceId, [messageId])).get(messageId));
  await appendChatEvent(
    tx,
    conversation,
    { actor: editor, at: found.now },
    { event_type: 'MESSAGE_UPDATED', data: messageData(message, conversation), message: view },
  );
  return { message: view, conversation };
}

async function forbidden(
  tx: Tx,
  conversation: Conversation,
  message: Message,
  editor: Actor,
): Promise<EditRefusal | undefined> {
  if (message.authorId !== editor.id || message.authorType !== editor.type) return 'not_author';
  // A bot's own messages stay its own wherever they are: a trigger's answers never needed its membership.
  if (editor.type !== 'user' || (await isMember(tx, conversation.spaceId, conversation.channelId, editor.id)))
    return undefined;
  return 'not_member';
}

async function store(
  tx: Tx,
  spaceId: string,
  { id, text, mentions, metadataJson, editedAt }: Message,
): Promise<void> {
  await tx.query(
    `UPDATE messages SET text = $3, mentions = $4, metadata_json = $5, edited_at = $6::timestamptz, changed_at = $6::timestamptz WHERE space_id = $1 AND id = $2`,
    [spaceId, id, text, mentions !== null && mentions.length > 0 ? mentions : null, metadataJson, editedAt],
  );
}
