import { Field } from '@tieline/platform/http';
import { AUTHOR_TYPES } from '../actors.js';
import type { AuthorType } from '../actors.js';
import { AttachedFileView } from './attached-file.view.js';
import { FeedbackView } from './feedback.view.js';

export const ATTACHMENT_STATUSES = ['none', 'pending', 'attached', 'failed'] as const;
/** State of a message's files. */
export type AttachmentStatus = (typeof ATTACHMENT_STATUSES)[number];

/** The members who reacted to a message with one emoji. */
export class ReactionView {
  @Field({ example: '🎉' })
  emoji: string;

  @Field({ example: ['01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'] })
  user_ids: string[];
}

/** A message in history and live streams. Optional fields are absent, never null. */
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
      "true if the text was derived from the attachments and blocks: don't show it next to them; absent if the text was sent",
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

  /** The stored value. `messageFor` reduces it to the part that a given person or bot may see. */
  @Field({ example: '{"components":[]}', optional: true, description: 'the part that the caller may see' })
  metadata_json?: string;

  @Field({
    example: [{ type: 'divider' }],
    optional: true,
    description:
      'blocks of a Slack app, to be shown in place of the blocks in `metadata_json`; only for people',
  })
  app_blocks?: object[];

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
    description: 'link to the message; not on streams',
  })
  permalink?: string;

  @Field({
    example: 3,
    optional: true,
    description:
      'number of messages in its thread, including deleted ones; only for people and not on streams',
  })
  reply_count?: number;

  @Field({ example: '2026-01-31T10:15:00.123456000Z', optional: true, description: 'with `reply_count`' })
  last_reply_at?: string;

  @Field({
    example: 'Release 4711',
    optional: true,
    description: 'title of its thread; only for people and not on streams',
  })
  thread_title?: string;

  @Field({
    type: FeedbackView,
    optional: true,
    description: 'of messages with feedback buttons; only for people and not on streams',
  })
  feedback?: FeedbackView;

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
