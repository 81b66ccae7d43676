import { characters, invalidJson, isUuid } from '@tieline/platform/http';
import {
  fieldRequired,
  fileNameMalformed,
  fileSizeMalformed,
  fileTooLarge,
  mustBeText,
  mustBeUuid,
  unsupportedType,
} from '../files.errors.js';
import { essenceOf, isAllowedType } from './media-types.js';

/** A file that is to be uploaded, with every rule kept that needs no database. */
export interface NewUpload {
  conversationId: string;
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** Lower case, without parameters. */
  mimeType: string;
}

const MAX_NAME = 255;
const CONTROL = /\p{Cc}/u;

type Body = Readonly<Record<string, unknown>>;

/** The body of POST /bot/files/upload_sessions (contract, Files; decisions, section 6). @throws 400 that names the broken rule */
export function parseNewUpload(given: unknown, maxBytes: number): NewUpload {
  const conversationId = parseConversationId(given);
  const body = given as Body;
  const fileName = fileNameOf(requiredText(body, 'file_name'));
  const fileSize = fileSizeOf(required(body, 'file_size'), maxBytes);
  return { conversationId, fileName, fileSize, mimeType: mimeTypeOf(requiredText(body, 'mime_type')) };
}

/** `conversation_id` of a body or query, in lower case. @throws 400 missing or malformed */
export function parseConversationId(given: unknown): string {
  // The HTTP edge lets only objects through; a request without a body has undefined.
  if (typeof given !== 'object' || given === null) throw invalidJson();
  const id = required(given as Body, 'conversation_id');
  if (!isUuid(id)) throw mustBeUuid('conversation_id');
  return id.toLowerCase();
}

function required(body: Body, field: string): unknown {
  const value = body[field];
  if (value === undefined || value === null || value === '') throw fieldRequired(field);
  return value;
}

function requiredText(body: Body, field: string): string {
  const value = required(body, field);
  if (typeof value !== 'string') throw mustBeText(field);
  return value;
}

function fileNameOf(name: string): string {
  if (characters(name) > MAX_NAME || CONTROL.test(name)) throw fileNameMalformed();
  return name;
}

function fileSizeOf(size: unknown, maxBytes: number): number {
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1) throw fileSizeMalformed();
  if (size > maxBytes) throw fileTooLarge(maxBytes);
  return size;
}

function mimeTypeOf(given: string): string {
  const essence = essenceOf(given);
  if (essence === undefined || !isAllowedType(essence)) throw unsupportedType();
  return essence;
}
