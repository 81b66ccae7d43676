import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, Check, IsRequired, IsUuid } from '@tieline/platform/http';
import { IsString } from 'class-validator';
import { fileNameMalformed, fileSizeMalformed, fileTooLarge, unsupportedType } from '../files.errors.js';
import { isFileName, MAX_FILE_NAME } from '../uploads/file-name.js';
import { essenceOf, isAllowedType } from '../uploads/media-types.js';
import type { NewUpload } from '../uploads/create-upload-session.js';

/** Body of POST /bot/files/upload_sessions and POST /client/files/upload_sessions. */
@BodyExample('a PDF', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  file_name: 'report.pdf',
  file_size: 48213,
  mime_type: 'application/pdf',
})
export class CreateUploadSessionDto {
  @ApiProperty({
    format: 'uuid',
    description: 'the conversation that the file can be attached in, including its threads',
  })
  @IsUuid()
  @IsRequired()
  conversation_id: string;

  @ApiProperty({ minLength: 1, maxLength: MAX_FILE_NAME, example: 'report.pdf' })
  @Check((name) => (isFileName(name) ? undefined : fileNameMalformed()))
  @IsString()
  @IsRequired()
  file_name: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'bytes', example: 48_213 })
  @Check((size) => (Number.isSafeInteger(size) && Number(size) >= 1 ? undefined : fileSizeMalformed()))
  @IsRequired()
  file_size: number;

  @ApiProperty({ minLength: 1, example: 'application/pdf' })
  @IsString()
  @IsRequired()
  mime_type: string;
}

/**
 * Returns the validated upload.
 * @throws 400 for a file over the limit, or of a type that may not be uploaded
 */
export function newUpload(body: CreateUploadSessionDto, maxBytes: number): NewUpload {
  if (body.file_size > maxBytes) throw fileTooLarge(maxBytes);
  const mimeType = essenceOf(body.mime_type);
  if (mimeType === undefined || !isAllowedType(mimeType)) throw unsupportedType();
  return {
    conversationId: body.conversation_id,
    fileName: body.file_name,
    fileSize: body.file_size,
    mimeType,
  };
}
