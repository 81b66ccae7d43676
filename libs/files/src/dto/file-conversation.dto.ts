import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsRequired, IsUuid, MayBeEmpty } from '@tieline/platform/http';

/** Body of POST /client/files/{file_id}/confirm. */
@BodyExample('the conversation of the file', { conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class PersonsFileDto {
  @ApiPropertyOptional({ format: 'uuid', description: 'the conversation that the file was created for' })
  @IsUuid()
  @MayBeEmpty()
  conversation_id?: string;
}

/**
 * Body of POST /bot/files/{file_id}/confirm, and query of GET /bot/files/{file_id}/download_url.
 */
@BodyExample('the conversation of the file', { conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class FileConversationDto {
  @ApiProperty({ format: 'uuid', description: 'the conversation that the file was created for' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;
}
