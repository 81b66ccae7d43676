import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { Convert, EMPTY_OR_UUID, emptyAsAbsent, IsUuid, toInt } from '@tieline/platform/http';
import { parseMoment } from '../moment.js';

const LIMIT = 'limit must be a whole number from 1 to 200';

/**
 * Clients may pass the largest 64-bit number. Indexes never exceed the safe integers, so it is
 * capped there.
 */
function toIndex(value: unknown): unknown {
  const isIndex = typeof value === 'string' && /^\d{1,19}$/.test(value);
  return isIndex ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : toInt(value);
}

/** A `msg_index` parameter: a whole number, 0 or more. Empty counts as absent. */
function IsMsgIndex(): PropertyDecorator {
  return (target, key) => {
    const message = `${String(key)} must be a whole number`;
    ApiPropertyOptional({ type: 'integer', minimum: 0, allowEmptyValue: true } as object)(target, key);
    IsOptional()(target, key);
    Convert(emptyAsAbsent)(target, key);
    Convert(toIndex)(target, key);
    IsInt({ message })(target, key as string);
    Min(0, { message })(target, key as string);
  };
}

/** Query of GET /channels/{conversation_id}/messages. */
export class HistoryQuery {
  @IsMsgIndex()
  before_msg_index?: number;

  @IsMsgIndex()
  after_msg_index?: number;

  @IsMsgIndex()
  around_msg_index?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: LIMIT })
  @Min(1, { message: LIMIT })
  @Max(200, { message: LIMIT })
  limit: number = 50;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: 'root message: returns only the replies in its thread; empty counts as absent',
  })
  @IsOptional()
  @IsUuid()
  @Convert(emptyAsAbsent)
  thread_id?: string;

  @ApiPropertyOptional({
    description:
      'RFC 3339: returns only messages sent, edited, deleted or reacted to after it; empty counts as absent',
    example: '2026-11-25T20:15:00Z',
  })
  @IsOptional()
  @Convert(emptyAsAbsent)
  @ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parseMoment(value) !== undefined,
      defaultMessage: () => '$property must be an RFC 3339 time',
    },
  })
  updated_since?: string;
}
