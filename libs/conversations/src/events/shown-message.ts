import { Field } from '@tieline/platform/http';
import { AttachedFileView } from './attached-file.view.js';

const AUTHOR_TYPES = ['user', 'bot', 'webhook', 'system'] as const;
/** Who wrote a message: `author_id` is the id of that user, bot or incoming webhook. */
export type AuthorType = (typeof AUTHOR_TYPES)[number];

export const ATTACHMENT_STATUSES = ['none', 'pending', 'attached', 'failed'] as const;
/** State of a message's files (contract, "Attachment status on a message or run"). */
export type AttachmentStatus = (typeof ATTACHMENT_STATUSES)[number];

/** Who reacted to a message with one emoji. */
export class ReactionView {
  @Field({ example: '🎉' })
  emoji: string;

  @Field({ example: ['01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'] })
  user_ids: string[];
}

/**
 * A message as read in history and in live streams (decisions, section 3). Optional fields are
 * absent, never null.
 */
export class MessageView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', description: 'the same as `id`' })
  message_id: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    description: "for a thread message, the thread's id",
  })
  conversation_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' })
  author_id: string;

  @Field({ enum: AUTHOR_TYPES, example: 'bot' })
  author_type: AuthorType;

  @Field({ example: 'Build 4711 passed', description: 'empty once deleted' })
  text: string;

  @Field({
    example: true,
    optional: true,
    description:
      'true: the text was made of the attachments and blocks, so don’t draw it beside them; absent where it was sent',
  })
  text_derived?: boolean;

  @Field({ example: false })
  is_system: boolean;

  @Field({ example: ['01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'], optional: true })
  mentions?: string[];

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d40',
    optional: true,
    description: 'root message of the thread',
  })
  thread_id?: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d40',
    optional: true,
    description: 'the same as `thread_id`',
  })
  parent_message_id?: string;

  /** As stored until `messageFor` leaves what a certain person or bot may see of it. */
  @Field({ example: '{"components":[]}', optional: true, description: 'what the reader may see of it' })
  metadata_json?: string;

  @Field({ example: 'Deploy bot', optional: true })
  display_name?: string;

  @Field({ example: 'https://example.com/deploy.png', optional: true })
  display_avatar_url?: string;

  @Field({ example: '2026-01-31T09:05:00.123456000Z', optional: true })
  edited_at?: string;

  @Field({ example: '2026-01-31T09:10:00.123456000Z', optional: true })
  deleted_at?: string;

  @Field({ example: '2026-01-31T09:06:00.123456000Z', optional: true, description: 'pinned messages only' })
  pinned_at?: string;

  @Field({
    example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41',
    optional: true,
    description: 'the person or bot that pinned it',
  })
  pinned_by?: string;

  @Field({
    example:
      'https://tieline.example/c/01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41/01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
    optional: true,
    description: 'address of the message; where it is read, not on streams',
  })
  permalink?: string;

  @Field({
    example: 3,
    optional: true,
    description:
      'for people: messages of its thread, deleted ones too; where there is one and the message is read, not on streams',
  })
  reply_count?: number;

  @Field({ example: '2026-01-31T10:15:00.123456000Z', optional: true, description: 'with `reply_count`' })
  last_reply_at?: string;

  @Field({ type: AttachedFileView, isArray: true })
  attachments: object[];

  @Field({ enum: ATTACHMENT_STATUSES })
  attachment_status: AttachmentStatus;

  @Field({ type: ReactionView, isArray: true })
  reactions: ReactionView[];

  @Field({ example: 42 })
  msg_index: number;

  @Field({ example: '2026-01-31T09:00:00.123456000Z' })
  sent_at: string;
}
