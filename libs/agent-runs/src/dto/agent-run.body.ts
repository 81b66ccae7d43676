import { characters, invalidJson, isUuid } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { isRunStatus, MAX_SEQUENCE } from '../agent-run.states.js';
import {
  attachmentsMalformed,
  attachmentsNotCompleted,
  attachmentTwice,
  contentTooLong,
  conversationIdRequired,
  errorCodeInvalid,
  isRequired,
  mustBeText,
  mustBeUuid,
  publicTextRequired,
  publicTextTooLong,
  sequenceInvalid,
  statusUnknown,
  tooManyAttachments,
} from '../agent-runs.errors.js';
import type { NewRun } from '../create-agent-run.js';
import { exactSequence } from '../sequence/exact-sequence.js';
import type { RunUpdate } from '../update-agent-run.js';

/*
 * The bodies of agent runs (contract, Agent runs), read by hand: a sequence has 64 bits, and what is sent has to be told
 * from what is left out. Whatever is not read here is ignored, also what the contract says cannot be sent.
 */

const MAX_TEXT = 4000;
const MAX_FILES = 15;
const ERROR_CODE = /^[A-Za-z0-9_]{0,64}$/;

type Body = Readonly<Record<string, unknown>>;

/** The body of POST /bot/agent_runs. @throws 400 */
export function parseNewRun(given: unknown, idempotencyKey: string): NewRun {
  const body = objectOf(given);
  const conversationId = uuidOf(body, 'conversation_id');
  if (conversationId === undefined) throw conversationIdRequired();
  const triggerMessageId = uuidOf(body, 'trigger_message_id');
  if (triggerMessageId === undefined) throw isRequired('trigger_message_id');
  return {
    idempotencyKey,
    conversationId,
    triggerMessageId,
    widgetId: uuidOf(body, 'widget_id'),
    // `thread_id` is a legacy alias: the former wins, as for messages.
    parentMessageId: uuidOf(body, 'parent_message_id') ?? uuidOf(body, 'thread_id'),
    content: textOf(body, 'content', contentTooLong) ?? '',
  };
}

/** The body of PATCH /bot/agent_runs/{run_id}; `json` is its text. @throws 400 */
export function parseRunUpdate(given: unknown, json: string): RunUpdate {
  const body = objectOf(given);
  const status = body.status ?? undefined;
  if (status === undefined) throw isRequired('status');
  if (!isRunStatus(status)) throw statusUnknown();
  const publicText =
    textOf(body, 'public_text', publicTextTooLong) ?? textOf(body, 'content', contentTooLong);
  if (status === 'completed' && !publicText) throw publicTextRequired();
  const fileIds = fileIdsOf(body.attachments);
  if (fileIds.length > 0 && status !== 'completed') throw attachmentsNotCompleted();
  return { status, sequence: sequenceOf(body, json), publicText, errorCode: errorCodeOf(body), fileIds };
}

function objectOf(given: unknown): Body {
  // The HTTP edge lets only objects through; a request without a body has undefined.
  if (typeof given !== 'object' || given === null) throw invalidJson();
  return given as Body;
}

/** A uuid in lower case that may be missing; null and "" count as missing. */
function uuidOf(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (!isUuid(value)) throw mustBeUuid(field);
  return value.toLowerCase();
}

/** A text that may be missing; null counts as missing, and one of white space only is empty. */
function textOf(body: Body, field: string, tooLong: () => ApiError): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw mustBeText(field);
  if (value.trim() === '') return '';
  if (characters(value) > MAX_TEXT) throw tooLong();
  return value;
}

function sequenceOf(body: Body, json: string): bigint {
  const sequence = exactSequence(json, body.sequence);
  if (sequence === undefined || sequence < 1n || sequence > MAX_SEQUENCE) throw sequenceInvalid();
  return sequence;
}

function errorCodeOf({ error_code: code }: Body): string {
  if (code === undefined || code === null) return '';
  if (typeof code !== 'string' || !ERROR_CODE.test(code)) throw errorCodeInvalid();
  return code;
}

function fileIdsOf(attachments: unknown): string[] {
  if (attachments === undefined || attachments === null) return [];
  if (!Array.isArray(attachments)) throw attachmentsMalformed();
  if (attachments.length > MAX_FILES) throw tooManyAttachments();
  const ids = attachments.map((attachment: { file_id?: unknown } | null) => {
    if (!isUuid(attachment?.file_id)) throw attachmentsMalformed();
    return attachment.file_id.toLowerCase();
  });
  if (new Set(ids).size < ids.length) throw attachmentTwice();
  return ids;
}
