import { Field } from '@tieline/platform/http';

/** A file as messages show it. The files lib defines the values of `file_type` and `status`. */
export class AttachedFileView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51' })
  file_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: '', description: 'empty until attached' })
  message_id: string;

  @Field({ example: 'document' })
  file_type: string;

  @Field({ example: 'report.pdf' })
  file_name: string;

  @Field({ example: 'application/pdf' })
  mime_type: string;

  @Field({ example: 48_213, description: 'bytes' })
  file_size: number;

  @Field({ example: 'ready' })
  status: string;

  @Field({ example: 1_795_251_600 })
  created_at_unix: number;

  @Field({ example: 0, description: 'pixels; 0 when not applicable' })
  width: number;

  @Field({ example: 0, description: 'pixels; 0 when not applicable' })
  height: number;
}
