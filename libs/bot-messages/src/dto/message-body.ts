import { parseMetadata } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import { bodyReader } from '@tieline/platform/http';
import { isAbsent, isBlank } from './message-rules.js';
import { EditBotMessageDto, SendBotMessageDto, SlashReplyDto } from './message.dto.js';

/** A message to send, with every rule kept that needs no database. */
export interface NewBotMessage {
  conversationId: string;
  /** Empty only where there are files. */
  content: string;
  displayName: string | undefined;
  displayAvatarUrl: string | undefined;
  parentMessageId: string | undefined;
  metadata: Metadata | undefined;
  fileIds: string[];
}

/** New text and metadata of a message; no metadata clears what there was. */
export interface BotMessageText {
  content: string;
  metadata: Metadata | undefined;
}

const readSend = bodyReader(SendBotMessageDto);
const readEdit = bodyReader(EditBotMessageDto);
const readReply = bodyReader(SlashReplyDto);

/**
 * The body of POST /bot/messages (contract, Messages). @throws 400 with the contract's texts, in
 * its order
 */
export function parseNewMessage(given: unknown): NewBotMessage {
  const body = readSend(given);
  return {
    conversationId: body.conversation_id.toLowerCase(),
    content: contentOf(body.content),
    displayName: isBlank(body.display_name) ? undefined : (body.display_name as string),
    displayAvatarUrl: body.display_avatar_url || undefined,
    // `thread_id` is a legacy alias: the former wins (decisions, section 3).
    parentMessageId: uuidOf(body.parent_message_id) ?? uuidOf(body.thread_id),
    metadata: parseMetadata(body.metadata_json),
    fileIds: (body.attachments ?? []).map(({ file_id: id }) => id.toLowerCase()),
  };
}

/** The body of PATCH /bot/messages/{id} (contract, Messages). @throws 400 */
export function parseMessageText(given: unknown): BotMessageText {
  return textOf(readEdit(given));
}

/**
 * The body of POST /bot/messages with X-Service-Trigger-Id: only content and metadata count.
 * @throws 400
 */
export function parseSlashReply(given: unknown): BotMessageText {
  return textOf(readReply(given));
}

function textOf({ content, metadata_json: json }: EditBotMessageDto | SlashReplyDto): BotMessageText {
  return { content: contentOf(content), metadata: parseMetadata(json) };
}

function contentOf(content: string | null | undefined): string {
  return isBlank(content) ? '' : (content as string);
}

function uuidOf(id: string | null | undefined): string | undefined {
  return isAbsent(id) ? undefined : id.toLowerCase();
}
