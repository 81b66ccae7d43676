import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, characters, Check, isUuid } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { IsOptional, ValidateIf } from 'class-validator';
import { isRunStatus, MAX_SEQUENCE, RUN_STATUSES } from '../states/agent-run.states.js';
import type { RunStatus } from '../states/agent-run.states.js';
import {
  appendAndText,
  appendTooLong,
  attachmentsMalformed,
  attachmentsNotCompleted,
  attachmentTwice,
  contentTooLong,
  errorCodeInvalid,
  mustBeText,
  publicTextTooLong,
  sequenceInvalid,
  sequenceRequired,
  statusRequired,
  statusUnknown,
  tooManyAttachments,
} from '../agent-runs.errors.js';
import { exactSequence } from '../sequence/exact-sequence.js';
import type { RunUpdate } from '../updates/run-update.js';
import { IsRunText, MAX_TEXT, runText } from './run-text.js';

const MAX_FILES = 15;
const ERROR_CODE = /^[A-Za-z0-9_]{0,64}$/;

class RunFileDto {
  @ApiProperty({ format: 'uuid' })
  file_id: string;
}

/** Body of PATCH /bot/agent_runs/{run_id}. */
@BodyExample('done', { status: 'completed', public_text: 'Build 4711 is out.', sequence: 2 })
export class UpdateAgentRunDto {
  @ApiProperty({ enum: RUN_STATUSES })
  @Check((status) => (isRunStatus(status) ? undefined : statusUnknown()))
  @Check((status) => (status === undefined || status === null ? statusRequired() : undefined))
  status: RunStatus;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_TEXT,
    description: 'Markdown; unchanged if absent; completed needs this or an earlier text',
  })
  @IsRunText('public_text', publicTextTooLong)
  public_text?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_TEXT,
    deprecated: true,
    description: 'alias of public_text',
  })
  @ValidateIf((body: UpdateAgentRunDto) => body.public_text === undefined || body.public_text === null)
  @IsRunText('content', contentTooLong)
  content?: string | null;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_TEXT,
    description:
      'appended to public_text unchanged, including whitespace; cannot be combined with public_text',
    example: ' out of memory',
  })
  @IsOptional()
  @Check(refusalOfAppend)
  append?: string | null;

  @ApiPropertyOptional({ type: [RunFileDto], maxItems: MAX_FILES, description: 'only with completed' })
  @IsOptional()
  @Check(refusalOfFiles)
  attachments?: RunFileDto[] | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    description: "greater than the run's current sequence",
    example: 2,
  })
  @Check((sequence) => (isIntegerUpTo64Bits(sequence) ? undefined : sequenceInvalid()))
  @Check((sequence) => (sequence === undefined || sequence === null ? sequenceRequired() : undefined))
  sequence: number;

  @ApiPropertyOptional({
    type: String,
    pattern: ERROR_CODE.source,
    description: 'default: none',
    example: 'TOOL_TIMEOUT',
  })
  @IsOptional()
  @Check((code) => (typeof code === 'string' && ERROR_CODE.test(code) ? undefined : errorCodeInvalid()))
  error_code?: string | null;
}

/**
 * Converts the body of an update. `json` is its text.
 *
 * @throws 400 for a sequence out of range
 */
export function runUpdate(body: UpdateAgentRunDto, json: string): RunUpdate {
  const sequence = exactSequence(json, body.sequence);
  if (sequence === undefined || sequence < 1n || sequence > MAX_SEQUENCE) throw sequenceInvalid();
  return {
    status: body.status,
    sequence,
    publicText: runText(body.public_text ?? body.content),
    append: body.append || undefined,
    errorCode: body.error_code ?? '',
    fileIds: (body.attachments ?? []).map(({ file_id }) => file_id.toLowerCase()),
  };
}

/** Approximate, because JSON.parse rounds integers beyond 2^53. */
function isIntegerUpTo64Bits(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2 ** 63;
}

function refusalOfAppend(append: unknown, { public_text, content }: UpdateAgentRunDto): ApiError | undefined {
  if (typeof append !== 'string') return mustBeText('append');
  if (characters(append) > MAX_TEXT) return appendTooLong();
  return append !== '' && (public_text ?? content ?? undefined) !== undefined ? appendAndText() : undefined;
}

function refusalOfFiles(files: unknown, { status }: UpdateAgentRunDto): ApiError | undefined {
  if (!Array.isArray(files)) return attachmentsMalformed();
  if (files.length > MAX_FILES) return tooManyAttachments();
  const ids = files.map((file: { file_id?: unknown } | null) => file?.file_id);
  if (!ids.every(isUuid)) return attachmentsMalformed();
  if (new Set(ids.map((id) => id.toLowerCase())).size < ids.length) return attachmentTwice();
  return ids.length > 0 && status !== 'completed' ? attachmentsNotCompleted() : undefined;
}
