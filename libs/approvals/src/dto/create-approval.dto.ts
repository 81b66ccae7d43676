import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyExample,
  Check,
  invalidField,
  isBlankText,
  IsOneLine,
  IsRequired,
  IsText,
  IsUuid,
  MayBeEmpty,
  Nested,
  NestedList,
} from '@tieline/platform/http';
import type { ApiError, Role } from '@tieline/platform/http';
import { ModalDefinition } from '@tieline/interactive';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Max,
  Min,
} from 'class-validator';
import { argumentsProblem } from '../arguments/tool-arguments.js';
import { DEFAULT_OPTIONS } from '../approval.js';
import type { NewApproval } from '../approval.js';
import { approversInvalid, argumentsInvalid, formInvalid, optionsInvalid } from '../approvals.errors.js';
import { ON_EXPIRY, OPTION_KINDS } from '../states/approval.states.js';
import type { ApprovalOption, OnExpiry, OptionKind } from '../states/approval.states.js';

const ROLES = ['owner', 'admin', 'member', 'guest'] as const satisfies readonly Role[];
const STYLES = ['primary', 'danger', 'default'] as const;
const DAY_SECONDS = 86_400;
const MAX_FORM_BYTES = 32_768;

/** An option of an approval. */
export class ApprovalOptionDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 64, description: 'unique in the approval' })
  @IsOneLine(64)
  @IsRequired()
  id: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 75 })
  @IsOneLine(75)
  @IsRequired()
  label: string;

  @ApiPropertyOptional({ enum: STYLES })
  @MayBeEmpty()
  @IsIn(STYLES)
  style?: (typeof STYLES)[number] | null;

  @ApiProperty({ enum: OPTION_KINDS })
  @IsIn(OPTION_KINDS)
  @IsRequired()
  kind: OptionKind;
}

/** Who may decide an approval. */
export class ApproversDto {
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: 50, description: 'people of the space' })
  @IsOptional()
  @IsUuid({ each: true })
  @ArrayUnique()
  @ArrayMaxSize(50)
  @IsArray()
  user_ids?: string[] | null;

  @ApiPropertyOptional({
    enum: ROLES,
    isArray: true,
    description: 'people with one of these roles who can read the conversation',
  })
  @IsOptional()
  @IsIn(ROLES, { each: true })
  @ArrayUnique()
  @IsArray()
  roles?: Role[] | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10, default: 1 })
  @IsOptional()
  @Max(10)
  @Min(1)
  @IsInt()
  count?: number | null;
}

/** Body of POST /bot/approvals. */
@BodyExample('a tool call', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  title: 'Deploy v1.4.2 to production?',
  tool: 'deploy',
  arguments: { version: 'v1.4.2', target: 'production' },
  external_id: 'deploy-4711',
})
export class CreateApprovalDto {
  @ApiProperty({ format: 'uuid', description: 'channel, thread or DM that the bot is a member of' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'posts the card in this thread' })
  @MayBeEmpty()
  @IsUuid()
  parent_message_id?: string | null;

  @ApiProperty({ type: String, minLength: 1, maxLength: 150 })
  @IsOneLine(150)
  @IsRequired()
  title: string;

  @ApiPropertyOptional({ type: String, maxLength: 3000 })
  @IsOptional()
  @IsText(0, 3000)
  text?: string | null;

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 100, description: 'name of the tool' })
  @MayBeEmpty()
  @IsOneLine(100)
  tool?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'arguments of the tool; at most 16 KiB as canonical JSON and 32 levels deep',
  })
  @IsOptional()
  @Check((value) => problemAs(argumentsInvalid, argumentsProblem(value)))
  arguments?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    type: [ApprovalOptionDto],
    minItems: 1,
    maxItems: 5,
    description: 'default: `approve` and `deny`',
  })
  @IsOptional()
  @NestedList(() => ApprovalOptionDto, { unique: 'id' })
  @ArrayMaxSize(5)
  @ArrayMinSize(1)
  @IsArray()
  options?: ApprovalOptionDto[] | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'a validated modal that people fill in to approve or answer; at most 32 KiB',
  })
  @IsOptional()
  @IsObject()
  form?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    type: ApproversDto,
    description: 'default: members of the conversation who are not guests',
  })
  @IsOptional()
  @Nested(() => ApproversDto)
  @IsObject()
  approvers?: ApproversDto | null;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'a person who may not decide' })
  @MayBeEmpty()
  @IsUuid()
  requested_by?: string | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 30, maximum: 2_592_000, default: DAY_SECONDS })
  @IsOptional()
  @Max(2_592_000)
  @Min(30)
  @IsInt()
  expires_in_seconds?: number | null;

  @ApiPropertyOptional({ enum: ON_EXPIRY, default: 'expire' })
  @MayBeEmpty()
  @IsIn(ON_EXPIRY)
  on_expiry?: OnExpiry | null;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 200,
    description: 'a repeat with the same external_id and body returns the existing approval',
  })
  @MayBeEmpty()
  @IsOneLine(200)
  external_id?: string | null;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'a run of the bot' })
  @MayBeEmpty()
  @IsUuid()
  agent_run_id?: string | null;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'a task of the bot' })
  @MayBeEmpty()
  @IsUuid()
  execution_task_id?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'notifies during do-not-disturb and quiet hours, if the space allows it',
  })
  @IsOptional()
  @IsBoolean()
  urgent?: boolean | null;
}

/**
 * Converts the body of a creation.
 *
 * @throws 400 for a blank text, an invalid form, or fields that contradict each other
 */
export function newApproval(body: CreateApprovalDto): NewApproval {
  const { approvers, form } = body;
  const request: NewApproval = {
    conversationId: body.conversation_id,
    parentMessageId: body.parent_message_id || null,
    title: body.title,
    text: body.text == null || isBlankText(body.text) ? '' : body.text,
    tool: body.tool || null,
    arguments: body.arguments ?? null,
    options: body.options?.map(optionOf) ?? [...DEFAULT_OPTIONS],
    form: form == null ? null : { ...form, validate: true },
    approverIds: approvers?.user_ids ?? [],
    approverRoles: approvers?.roles ?? [],
    count: approvers?.count ?? 1,
    requestedBy: body.requested_by || null,
    expiresInSeconds: body.expires_in_seconds ?? DAY_SECONDS,
    onExpiry: body.on_expiry || 'expire',
    externalId: body.external_id || null,
    agentRunId: body.agent_run_id || null,
    executionTaskId: body.execution_task_id || null,
    urgent: body.urgent === true,
  };
  const contradiction = formProblem(request) ?? optionsProblem(request) ?? approversProblem(request);
  if (contradiction) throw contradiction;
  return request;
}

function optionOf({ id, label, style, kind }: ApprovalOptionDto): ApprovalOption {
  return { id, label, ...(style && { style }), kind };
}

function formProblem({ form }: NewApproval): ApiError | undefined {
  if (form === null) return undefined;
  if (Buffer.byteLength(JSON.stringify(form)) > MAX_FORM_BYTES) return formInvalid('too large (max 32 KiB)');
  const { validated } = ModalDefinition.read(form, 'form');
  const index = validated?.fields.findIndex(({ hasBotOptions }) => hasBotOptions) ?? -1;
  const place = `form.fields[${index}].options_from`;
  return index < 0 ? undefined : invalidField(place, `${place}: is not supported in approvals`);
}

/**
 * A rule replaces one approver and no form, and needs a tool. A denial by expiry needs an option
 * that denies.
 */
function optionsProblem({ options, tool, form, count, onExpiry }: NewApproval): ApiError | undefined {
  const kinds = new Set(options.map(({ kind }) => kind));
  if (kinds.has('approve_always') && tool === null)
    return optionsInvalid('of kind approve_always need a tool');
  if (kinds.has('approve_always') && form !== null)
    return optionsInvalid('of kind approve_always cannot be combined with a form');
  if (kinds.has('approve_always') && count > 1)
    return optionsInvalid('of kind approve_always cannot be combined with a count above 1');
  return onExpiry === 'deny' && !kinds.has('deny')
    ? optionsInvalid('must have one of kind deny if on_expiry is deny')
    : undefined;
}

function approversProblem({
  approverIds,
  approverRoles,
  requestedBy,
  count,
}: NewApproval): ApiError | undefined {
  if (approverIds.length === 0 || approverRoles.length > 0) return undefined;
  const able = approverIds.filter((id) => id !== requestedBy).length;
  return able < count
    ? approversInvalid('must name at least count people other than requested_by')
    : undefined;
}

function problemAs(error: (text: string) => ApiError, problem: string | undefined): ApiError | undefined {
  return problem === undefined ? undefined : error(problem);
}
