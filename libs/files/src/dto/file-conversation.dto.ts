import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsRequired, IsUuid, MayBeEmpty } from '@tieline/platform/http';

/** Body of POST /client/files/{file_id}/confirm. */
export class PersonsFileDto {
  @ApiPropertyOptional({ format: 'uuid', description: 'the conversation that the file was made for' })
  @IsUuid()
  @MayBeEmpty()
  conversation_id?: string;
}

/** Body of POST /bot/files/{file_id}/confirm, and query of GET /bot/files/{file_id}/download_url. */
export class FileConversationDto {
  @ApiProperty({ format: 'uuid', description: 'the conversation that the file was made for' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;
}
