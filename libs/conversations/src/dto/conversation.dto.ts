import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { EMPTY_OR_UUID, BodyExample, IsOneLine, IsUuid, isUuid, toInt } from '@tieline/platform/http';
import { ValidateBy } from 'class-validator';

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** Body of POST /conversations. */
@BodyExample('a public channel', { name: 'releases' })
export class CreateConversationDto {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'releases' })
  @Transform(trimmed)
  @IsOneLine(100)
  name: string;

  @ApiPropertyOptional({ type: Boolean, default: true, description: 'false: only members see it' })
  @IsOptional()
  @IsBoolean()
  is_public?: boolean | null;

  @ApiPropertyOptional({ enum: ['channel', 'voice'], default: 'channel' })
  @IsOptional()
  @IsIn(['channel', 'voice'])
  type?: 'channel' | 'voice' | null;

  @ApiPropertyOptional({ type: [String], format: 'uuid', description: 'users and bots besides the caller' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsUuid({ each: true })
  member_ids?: string[] | null;
}

/** Query of GET /conversations. */
export class ListConversationsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, default: 1000 })
  @IsOptional()
  @Transform(toInt)
  @IsInt({ message: 'limit must be a whole number from 1 to 1000' })
  @Min(1, { message: 'limit must be a whole number from 1 to 1000' })
  @Max(1000, { message: 'limit must be a whole number from 1 to 1000' })
  limit: number = 1000;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: '`next_cursor` of the previous page; empty for the first page',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
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
