import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsRequired, IsText, IsUuid, MayBeEmpty, Nested } from '@tieline/platform/http';
import { IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';

/** The scope of a rule that `approve_always` creates. */
export class RuleScopeDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: "default: the approval's conversation; null: all conversations",
  })
  @IsOptional()
  @IsUuid()
  conversation_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: "default: the approval's arguments; null: all arguments",
  })
  @IsOptional()
  @IsString()
  arguments_sha256?: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 60,
    maximum: 31_536_000,
    description: 'default: no expiry',
  })
  @IsOptional()
  @Max(31_536_000)
  @Min(60)
  @IsInt()
  expires_in_seconds?: number | null;
}

/** Body of POST /client/approvals/{id}/decide. */
@BodyExample('approve', { option_id: 'approve', comment: 'Tested on staging.' })
export class DecideApprovalDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 64 })
  @IsText(1, 64)
  @IsRequired()
  option_id: string;

  @ApiPropertyOptional({ type: String, maxLength: 1000 })
  @MayBeEmpty()
  @IsText(0, 1000)
  comment?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'values of the form, by field id',
  })
  @IsOptional()
  @IsObject()
  values?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    type: RuleScopeDto,
    description: 'for options of kind approve_always: the scope of the rule',
  })
  @IsOptional()
  @Nested(() => RuleScopeDto)
  @IsObject()
  rule?: RuleScopeDto | null;
}

/** Body of POST /bot/approvals/{id}/cancel. The body is optional. */
@BodyExample('a reason', { reason: 'The build failed.' })
export class CancelApprovalDto {
  @ApiPropertyOptional({ type: String, maxLength: 1000 })
  @MayBeEmpty()
  @IsText(0, 1000)
  reason?: string | null;
}
