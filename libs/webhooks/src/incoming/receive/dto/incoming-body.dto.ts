import { Field } from '@tieline/platform/http';

/* Documents the body of an incoming webhook for OpenAPI. `formats.ts` reads it. */

class IncomingButtonDto {
  @Field({ example: 'Open' })
  text: string;

  @Field({ example: 'https://host.example', description: 'HTTPS' })
  url: string;
}

class IncomingFileDto {
  @Field({ example: 'report.pdf', optional: true })
  name?: string;

  @Field({ example: 'https://host.example/report.pdf', description: 'HTTPS' })
  url: string;

  @Field({ example: 48_213, optional: true })
  size?: number;
}

class IncomingExtrasDto {
  @Field({ example: true, optional: true, description: 'true: no push; false: push allowed' })
  silent?: boolean;

  @Field({ example: 'critical', optional: true, description: 'critical, warning, info, or a common synonym' })
  severity?: string;

  @Field({
    example: ['0190f2a4-7c1b-7000-8000-00000000a001'],
    optional: true,
    description: 'ids of the people to notify',
  })
  mentions?: string[];

  @Field({ example: 'db1', optional: true, description: 'messages with the same key share a thread' })
  thread_key?: string;

  @Field({ example: 'cpu/db1', optional: true, description: 'messages with the same key edit one message' })
  dedup_key?: string;

  @Field({ example: true, optional: true, description: 'with `dedup_key`: closes the alert' })
  resolved?: boolean;
}

class FlatMessageDto extends IncomingExtrasDto {
  @Field({ example: '**disk** is full', optional: true, description: 'Markdown' })
  content?: string;

  @Field({ type: IncomingButtonDto, isArray: true, optional: true })
  buttons?: IncomingButtonDto[];

  @Field({ type: IncomingFileDto, isArray: true, optional: true })
  files?: IncomingFileDto[];
}

/**
 * Both formats. A body with `text`, `attachments` or `blocks` is read as block-kit. Native formats
 * have other fields.
 */
export class IncomingMessageDto extends IncomingExtrasDto {
  @Field({
    example: '*disk* is full',
    optional: true,
    description: 'with *bold*, _italic_, <url|text>, <!channel>',
  })
  text?: string;

  @Field({ example: [{ title: 'disk' }], optional: true })
  attachments?: Record<string, unknown>[];

  @Field({ example: [{ type: 'divider' }], optional: true })
  blocks?: Record<string, unknown>[];

  @Field({ example: 'Backups', optional: true, description: "shown instead of the webhook's name" })
  username?: string;

  @Field({ example: 'https://host.example/icon.png', optional: true, description: 'HTTPS' })
  icon_url?: string;

  @Field({ type: FlatMessageDto, optional: true, description: 'the flat style' })
  message?: FlatMessageDto;
}
