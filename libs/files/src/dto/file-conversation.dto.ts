import { ApiProperty } from '@nestjs/swagger';
import { IsRequired, IsUuid } from '@tieline/platform/http';

/** Body of POST /bot/files/{file_id}/confirm, and query of GET /bot/files/{file_id}/download_url. */
export class FileConversationDto {
  @ApiProperty({ format: 'uuid', description: 'the conversation that the file was made for' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;
}
