import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { BodyExample, IsOneLine, IsUuid } from '@tieline/platform/http';

/** Body of PATCH /admin/space. */
@BodyExample('another name', { name: 'Acme' })
export class UpdateOwnSpaceDto {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 100 })
  @IsOptional()
  @IsOneLine(100)
  name?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    description: "true: bots are shown people's e-mail addresses and find people by them",
  })
  @IsOptional()
  @IsBoolean()
  bots_see_emails?: boolean | null;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: urgent approvals notify during do-not-disturb and quiet hours',
  })
  @IsOptional()
  @IsBoolean()
  urgent_approvals?: boolean | null;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: admins must approve the apps that members want to use',
  })
  @IsOptional()
  @IsBoolean()
  apps_need_approval?: boolean | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'a channel of the space, not archived, in which notices to admins are posted from now on; null: none',
  })
  @IsOptional()
  @IsUuid()
  notices_conversation_id?: string | null;
}
