import { parseMetadata } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import { characters, isUuid, invalidJson } from '@tieline/platform/http';
import {
  attachmentsMalformed,
  attachmentsWithTrigger,
  attachmentTwice,
  avatarNotHttps,
  contentOrAttachmentsRequired,
  contentRequired,
  contentTooLong,
  conversationIdRequired,
  displayNameLength,
  mustBeText,
  mustBeUuid,
  tooManyAttachments,
} from './bot-messages.errors.js';

/*
 * The bodies of bot messages, read by hand: this is the hottest request of the product, and the contract names both
 * the texts and the order of its checks. Whatever is not read here is ignored, `text` included.
 */

const MAX_CONTENT = 4000;
const MAX_DISPLAY_NAME = 64;
const MAX_URL = 2048;
const MAX_ATTACHMENTS = 15;

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

type Body = Readonly<Record<string, unknown>>;

/** The body of POST /bot/messages (contract, Messages). @throws 400 with the contract's texts, in its order */
export function parseNewMessage(given: unknown): NewBotMessage {
  const body = objectOf(given);
  const conversationId = uuidOf(body, 'conversation_id');
  if (conversationId === undefined) throw conversationIdRequired();
  const fileIds = fileIdsOf(body.attachments);
  const content = contentOf(body);
  if (content === '' && fileIds.length === 0) throw contentOrAttachmentsRequired();
  return {
    conversationId,
    content,
    displayName: displayNameOf(body),
    displayAvatarUrl: avatarUrlOf(body),
    // `thread_id` is a legacy alias: the former wins (decisions, section 3).
    parentMessageId: uuidOf(body, 'parent_message_id') ?? uuidOf(body, 'thread_id'),
    metadata: parseMetadata(body.metadata_json),
    fileIds,
  };
}

/** The body of PATCH /bot/messages/{id} (contract, Messages). @throws 400 */
export function parseMessageText(given: unknown): BotMessageText {
  const body = objectOf(given);
  const content = contentOf(body);
  if (content === '') throw contentRequired();
  return { content, metadata: parseMetadata(body.metadata_json) };
}

/** The body of POST /bot/messages with X-Service-Trigger-Id: only content and metadata count. @throws 400 */
export function parseSlashReply(given: unknown): BotMessageText {
  const body = objectOf(given);
  if (fileIdsOf(body.attachments).length > 0) throw attachmentsWithTrigger();
  return parseMessageText(body);
}

function objectOf(given: unknown): Body {
  // The HTTP edge lets only objects through; a request without a body has undefined.
  if (typeof given !== 'object' || given === null) throw invalidJson();
  return given as Body;
}

/** A text that may be missing; null counts as missing. */
function textOf(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw mustBeText(field);
  return value;
}

/** A uuid in lower case that may be missing; null and "" count as missing. */
function uuidOf(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (!isUuid(value)) throw mustBeUuid(field);
  return value.toLowerCase();
}

/** The text of the message; one of white space only is empty. */
function contentOf(body: Body): string {
  const content = textOf(body, 'content') ?? '';
  if (content.trim() === '') return '';
  if (characters(content) > MAX_CONTENT) throw contentTooLong();
  return content;
}

function displayNameOf(body: Body): string | undefined {
  const name = textOf(body, 'display_name');
  if (name === undefined || name.trim() === '') return undefined;
  if (characters(name) > MAX_DISPLAY_NAME) throw displayNameLength();
  return name;
}

function avatarUrlOf(body: Body): string | undefined {
  const url = textOf(body, 'display_avatar_url');
  if (url === undefined || url === '') return undefined;
  if (url.length > MAX_URL || !/^https:\/\//i.test(url) || !URL.canParse(url)) throw avatarNotHttps();
  return url;
}

function fileIdsOf(attachments: unknown): string[] {
  if (attachments === undefined || attachments === null) return [];
  if (!Array.isArray(attachments)) throw attachmentsMalformed();
  if (attachments.length > MAX_ATTACHMENTS) throw tooManyAttachments();
  const ids = attachments.map(fileIdOf);
  if (new Set(ids).size < ids.length) throw attachmentTwice();
  return ids;
}

function fileIdOf(attachment: unknown): string {
  const id = (attachment as { file_id?: unknown } | null)?.file_id;
  if (!isUuid(id)) throw attachmentsMalformed();
  return id.toLowerCase();
}
