import { ApiProperty } from '@nestjs/swagger';

/* How the bodies look in the OpenAPI document; they are read by `upload-session-body.ts`. */

/** Body of POST /bot/files/upload_sessions. */
export class CreateUploadSessionDto {
  @ApiProperty({ format: 'uuid', description: 'the file can be attached there and in its threads' })
  conversation_id: string;

  @ApiProperty({ minLength: 1, maxLength: 255, example: 'report.pdf' })
  file_name: string;

  @ApiProperty({ minimum: 1, description: 'bytes', example: 48_213 })
  file_size: number;

  @ApiProperty({ example: 'application/pdf' })
  mime_type: string;
}

/** Body of POST /bot/files/{file_id}/confirm. */
export class ConfirmFileDto {
  @ApiProperty({ format: 'uuid', description: 'the conversation that the file was made for' })
  conversation_id: string;
}
