import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsRequired, IsUuid, MayBeEmpty } from '@tieline/platform/http';

/** Body of POST /client/files/{file_id}/confirm. */
@BodyExample('what the file was made for', { conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class PersonsFileDto {
  @ApiPropertyOptional({ format: 'uuid', description: 'the conversation that the file was made for' })
  @IsUuid()
  @MayBeEmpty()
  conversation_id?: string;
}

/**
 * Body of POST /bot/files/{file_id}/confirm, and query of GET /bot/files/{file_id}/download_url.
 */
@BodyExample('what the file was made for', { conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class FileConversationDto {
  @ApiProperty({ format: 'uuid', description: 'the conversation that the file was made for' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;
}
