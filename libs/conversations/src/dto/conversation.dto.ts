import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { BodyExample, Convert, EMPTY_OR_UUID, IsUuid, isUuid, toInt } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { CONVERSATION } from '../conversation.js';

/** Body of POST /conversations. */
@BodyExample('a public channel', { name: 'releases' })
export class CreateConversationDto extends bodyOf(CONVERSATION, 'create') {}

/** Body of PATCH /conversations/{id}. */
@BodyExample('a topic', { topic: 'Release 4711' })
export class UpdateConversationDto extends bodyOf(CONVERSATION, 'update') {}

/** Query of GET /conversations. */
export class ListConversationsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, default: 1000 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: 'limit must be a whole number from 1 to 1000' })
  @Min(1, { message: 'limit must be a whole number from 1 to 1000' })
  @Max(1000, { message: 'limit must be a whole number from 1 to 1000' })
  limit: number = 1000;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: '`next_cursor` of the previous page; empty for the first page',
  })
  @IsOptional()
  @Convert((value) => (typeof value === 'string' ? value.toLowerCase() : value))
  @ValidateBy({
    name: 'isCursor',
    validator: {
      validate: (value: unknown) => value === '' || isUuid(value),
      defaultMessage: () => 'invalid cursor',
    },
  })
  cursor: string = '';
}

/** Body of POST /conversations/{id}/members. */
@BodyExample('a bot', { member_id: '0190f2a4-7c1b-7000-8000-00000000b001' })
export class AddMemberDto {
  @ApiProperty({ format: 'uuid', description: 'a user or a bot of the space' })
  @IsUuid()
  member_id: string;
}

/** Body of PUT /conversations/{id}/mute. */
@BodyExample('mute', { muted: true })
export class MuteDto {
  @ApiProperty()
  @IsBoolean()
  muted: boolean;
}

/** Body of POST /dm. */
@BodyExample('with a bot', { user_id: '0190f2a4-7c1b-7000-8000-00000000b001' })
export class OpenDirectDto {
  @ApiProperty({ format: 'uuid', description: 'a user or a bot of the space' })
  @IsUuid()
  user_id: string;
}
