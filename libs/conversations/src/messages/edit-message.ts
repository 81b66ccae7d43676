import { Injectable } from '@nestjs/common';
import { together } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { appendChatEvents } from '../events/append-event.js';
import type { MessageNotice } from '../events/chat-event.js';
import type { MessageChange } from '../events/types/message-data.view.js';
import { isMember } from '../access/membership.queries.js';
import { lockConversationOfMessage } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Actor } from '../actors.js';
import type { Refusal, EditRefusal } from '../refusals.js';
import { MemberDirectory } from '../members/member-directory.js';
import { EditGuard } from '../ports/edit-guard.js';
import { MessageAttachments } from '../ports/message-attachments.js';
import { findMentions } from './mentions/mentions.js';
import { findMessagesToChange } from './message.queries.js';
import type { Message, MessageToChange } from './message.queries.js';
import { messageData, messageView } from './message.view.js';
import type { MessageView } from '../events/shown-message.js';
import { STORE_EDITS } from './stored-message.statements.js';

/** An edit of a message's text or metadata. The caller checks lengths and metadata. */
export interface MessageEdit {
  spaceId: string;
  messageId: string;
  /** Only the author may edit, unless access is granted. */
  editor: Actor;
  /** Absent: keeps the text. */
  text?: string;
  /** Whether the new text was derived from the message's attachments and blocks. */
  textDerived?: boolean;
  /** null removes the metadata; absent keeps it. */
  metadataJson?: string | null;
  /**
   * The message in the format of another product, unchanged. An edit of text or metadata without it
   * removes it.
   */
  sourceJson?: string;
  /** Renews what expires in metadata that is kept, such as button tokens. */
  renew?: (metadataJson: string) => string;
  /**
   * The caller attached or removed files in the same transaction. An edit without text and metadata
   * always counts as an edit of files.
   */
  hasOtherFiles?: boolean;
  /**
   * `answer`: the author may edit without being a member, because the edit answers a person's
   * click. `granted`: access does not depend on authorship (a run that ends).
   */
  access?: 'author' | 'answer' | 'granted';
  /** Notifies people again, replacing their earlier notification. Default: notifies no one. */
  notify?: MessageNotice;
}

/** A message after a change. */
export interface EditedMessage {
  message: MessageView;
  conversation: Conversation;
}

/** An edit that is not refused, and the message as it becomes. */
interface AppliedEdit {
  edit: MessageEdit;
  message: Message;
  view: MessageView;
  changes: MessageChange[];
}

/** Edits messages in the caller's transaction. */
@Injectable()
export class EditMessage {
  constructor(
    private readonly members: MemberDirectory,
    private readonly attachments: MessageAttachments,
    private readonly guard: EditGuard,
  ) {}

  /**
   * Replaces a message's text, metadata or both, sets `edited_at` and appends MESSAGE_UPDATED. An
   * edit that keeps the same text counts as an edit. Takes the conversation's row lock until the
   * end of the transaction.
   *
   * @returns the edited message, or why it was refused; then nothing was written
   */
  async in(tx: Tx, edit: MessageEdit): Promise<EditedMessage | Refusal<EditRefusal>> {
    const conversation = await lockConversationOfMessage(tx, edit.spaceId, edit.messageId);
    const [edited] = conversation ? await this.all(tx, conversation, [edit]) : [];
    return edited ?? { refused: 'unknown_message' };
  }

  /**
   * Like {@link in}, for several messages of one conversation in the same statements.
   *
   * @param conversation locked by the caller in this transaction
   * @param edits at most one per message
   * @returns what became of each edit. A refused one prevents no other.
   */
  async all(
    tx: Tx,
    conversation: Conversation,
    edits: readonly MessageEdit[],
  ): Promise<(EditedMessage | Refusal<EditRefusal>)[]> {
    const { spaceId } = conversation;
    const ids = edits.map(({ messageId }) => messageId);
    const [found, files] = await together(
      findMessagesToChange(tx, conversation, ids),
      this.attachments.of(tx, spaceId, ids),
    );
    const applied: AppliedEdit[] = [];
    const answers: (EditedMessage | Refusal<EditRefusal>)[] = [];
    for (const [n, edit] of edits.entries()) {
      const one = await this.apply(tx, conversation, edit, found[n]);
      if ('refused' in one) {
        answers.push(one);
        continue;
      }
      const view = messageView(one.message, files.get(one.message.id));
      applied.push({ ...one, view });
      answers.push({ message: view, conversation });
    }
    if (applied.length > 0)
      await together(storeEdits(tx, spaceId, applied), appendUpdates(tx, conversation, applied));
    return answers;
  }

  private async apply(
    tx: Tx,
    conversation: Conversation,
    edit: MessageEdit,
    found: MessageToChange | undefined,
  ): Promise<Omit<AppliedEdit, 'view'> | Refusal<EditRefusal>> {
    if (!found) return { refused: 'unknown_message' };
    const refused = await this.refusal(tx, conversation, found.message, edit);
    if (refused) return { refused };
    const message = await this.applyEdit(tx, found.message, edit, found.now);
    return { edit, message, changes: changesOf(found.message, edit) };
  }

  private async refusal(
    tx: Tx,
    conversation: Conversation,
    message: Message,
    { access, editor }: MessageEdit,
  ): Promise<EditRefusal | undefined> {
    const isGranted = access === 'granted';
    const refused = isGranted
      ? undefined
      : await permissionRefusal(tx, conversation, message, { access, editor });
    if (refused) return refused;
    if (message.deletedAt !== null) return 'deleted';
    if (isGranted || editor.type !== 'bot') return undefined;
    return (await this.guard.isGuarded(tx, conversation.spaceId, message)) ? 'guarded' : undefined;
  }

  private async applyEdit(
    tx: Tx,
    message: Message,
    { spaceId, text, textDerived = false, metadataJson, sourceJson, renew }: MessageEdit,
    now: string,
  ): Promise<Message> {
    return {
      ...message,
      ...(text !== undefined && {
        text,
        textDerived: textDerived || null,
        mentions: await findMentions(tx, this.members, spaceId, text),
      }),
      ...(metadataJson !== undefined && { metadataJson }),
      ...(hasNewContent({ text, metadataJson }) && { sourceJson: sourceJson ?? null }),
      ...(metadataJson === undefined &&
        message.metadataJson !== null &&
        renew && { metadataJson: renew(message.metadataJson) }),
      editedAt: now,
    };
  }
}

/** Returns whether an edit replaces what another product sent. */
const hasNewContent = ({ text, metadataJson }: Pick<MessageEdit, 'text' | 'metadataJson'>): boolean =>
  text !== undefined || metadataJson !== undefined;

/** Returns what an edit changes. If nothing differs, returns the part that the edit set. */
function changesOf(before: Message, { text, metadataJson, hasOtherFiles }: MessageEdit): MessageChange[] {
  const changes: MessageChange[] = [];
  if (text !== undefined && text !== before.text) changes.push('text');
  if (metadataJson !== undefined && metadataJson !== before.metadataJson) changes.push('metadata');
  if (hasOtherFiles || (text === undefined && metadataJson === undefined)) changes.push('attachments');
  return changes.length > 0 ? changes : [text === undefined ? 'metadata' : 'text'];
}

async function permissionRefusal(
  tx: Tx,
  conversation: Conversation,
  message: Message,
  { access, editor }: Pick<MessageEdit, 'access' | 'editor'>,
): Promise<EditRefusal | undefined> {
  if (message.authorId !== editor.id || message.authorType !== editor.type) return 'not_author';
  if (access === 'answer') return undefined;
  const { spaceId, channelId } = conversation;
  return (await isMember(tx, spaceId, channelId, editor.id)) ? undefined : 'not_member';
}

async function appendUpdates(tx: Tx, conversation: Conversation, applied: AppliedEdit[]): Promise<void> {
  await appendChatEvents(
    tx,
    conversation,
    applied.map(({ edit: { editor, notify }, message, view, changes }) => ({
      occurrence: { actor: editor, at: message.editedAt as string },
      content: {
        event_type: 'MESSAGE_UPDATED',
        data: { ...messageData(message, conversation), changes },
        message: view,
        notify,
      },
    })),
  );
}

async function storeEdits(tx: Tx, spaceId: string, applied: AppliedEdit[]): Promise<void> {
  const column = <T>(pick: (message: Message, edit: MessageEdit) => T): T[] =>
    applied.map(({ message, edit }) => pick(message, edit));
  await tx.query(STORE_EDITS, {
    spaceId,
    ids: column(({ id }) => id),
    texts: column(({ text }) => text),
    mentions: column(({ mentions }) =>
      mentions !== null && mentions.length > 0 ? `{${mentions.join()}}` : null,
    ),
    metadataJsons: column(({ metadataJson }) => metadataJson),
    editedAts: column(({ editedAt }) => editedAt),
    textDerived: column(({ textDerived }) => textDerived),
    keepsSource: column((_, edit) => !hasNewContent(edit)),
    sourceJsons: column((_, { sourceJson }) => sourceJson ?? null),
  });
}
