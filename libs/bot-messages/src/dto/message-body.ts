import { parseMetadata } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import { bodyReader } from '@tieline/platform/http';
import { isAbsent, isBlank } from './message-rules.js';
import { EditBotMessageDto, SendBotMessageDto, SlashReplyDto } from './message.dto.js';

/** A validated message to send. Rules that need the database are checked later. */
export interface NewBotMessage {
  conversationId: string;
  /** Empty only if there are files. */
  content: string;
  displayName: string | undefined;
  displayAvatarUrl: string | undefined;
  parentMessageId: string | undefined;
  metadata: Metadata | undefined;
  fileIds: string[];
  /** Whether clients show the metadata in place of the text. */
  textDerived?: boolean;
  /** The message in the format of another product, unchanged. */
  sourceJson?: string;
}

/** New text and metadata of a message. Absent metadata clears the existing metadata. */
export interface BotMessageText {
  content: string;
  metadata: Metadata | undefined;
  /** See {@link NewBotMessage}. */
  textDerived?: boolean;
  sourceJson?: string;
}

const readSend = bodyReader(SendBotMessageDto);
const readEdit = bodyReader(EditBotMessageDto);
const readReply = bodyReader(SlashReplyDto);

/**
 * Parses the body of POST /bot/messages.
 * @throws 400 with the documented texts, checked in the documented order
 */
export function parseNewMessage(input: unknown): NewBotMessage {
  const body = readSend(input);
  return {
    conversationId: body.conversation_id.toLowerCase(),
    content: contentOf(body.content),
    displayName: isBlank(body.display_name) ? undefined : (body.display_name as string),
    displayAvatarUrl: body.display_avatar_url || undefined,
    // `thread_id` is a deprecated alias; `parent_message_id` wins.
    parentMessageId: uuidOf(body.parent_message_id) ?? uuidOf(body.thread_id),
    metadata: parseMetadata(body.metadata_json),
    fileIds: (body.attachments ?? []).map(({ file_id: id }) => id.toLowerCase()),
  };
}

/**
 * Parses the body of PATCH /bot/messages/{id}.
 * @throws 400
 */
export function parseMessageText(input: unknown): BotMessageText {
  return textOf(readEdit(input));
}

/**
 * Parses the body of POST /bot/messages with X-Service-Trigger-Id, which uses only content and
 * metadata.
 * @throws 400
 */
export function parseSlashReply(input: unknown): BotMessageText {
  return textOf(readReply(input));
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
