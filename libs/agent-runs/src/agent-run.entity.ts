import type { AttachmentStatus } from '@tieline/conversations';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ValueTransformer } from 'typeorm';
import type { RunStatus } from './states/agent-run.states.js';

/**
 * 64 bits between the column and the program: the driver makes a number only of what a number holds
 * exactly, else it hands over the text.
 */
const exactly: ValueTransformer = {
  to: (value: bigint | null | undefined) => value?.toString() ?? value,
  from: (stored: number | string | null) => (stored === null ? null : BigInt(stored)),
};

/**
 * A run of a bot. Statements make, advance and end it, because each depends on what is stored; the
 * rest is read and written here.
 */
@Entity('agent_runs')
export class AgentRun {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey: string;

  /** As the bot named it. */
  @Column('uuid', { name: 'conversation_id' })
  conversationId: string;

  /** The thread's parent, else the conversation itself. */
  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  @Column('uuid', { name: 'parent_message_id', nullable: true })
  parentMessageId: string | null;

  @Column('uuid', { name: 'trigger_message_id' })
  triggerMessageId: string;

  /** The placeholder. */
  @Column('uuid', { name: 'message_id' })
  messageId: string;

  @Column('uuid', { name: 'widget_id', nullable: true })
  widgetId: string | null;

  @Column('text')
  status: RunStatus;

  @Column('bigint', { transformer: exactly })
  sequence: bigint;

  @Column('text')
  content: string;

  @Column('text', { name: 'public_text' })
  publicText: string;

  @Column('text', { name: 'error_code' })
  errorCode: string;

  /** This and the next four: the last accepted PATCH as it was sent. */
  @Column('bigint', { name: 'sent_sequence', nullable: true, transformer: exactly })
  sentSequence: bigint | null;

  @Column('text', { name: 'sent_status', nullable: true })
  sentStatus: RunStatus | null;

  @Column('text', { name: 'sent_public_text', nullable: true })
  sentPublicText: string | null;

  @Column('text', { name: 'sent_append', nullable: true })
  sentAppend: string | null;

  @Column('text', { name: 'sent_error_code', nullable: true })
  sentErrorCode: string | null;

  @Column('uuid', { name: 'file_ids', array: true })
  fileIds: string[];

  @Column('text', { name: 'attachment_status' })
  attachmentStatus: AttachmentStatus;

  /** When the placeholder was edited last. */
  @Column('timestamptz', { name: 'edited_at', nullable: true, select: false })
  editedAt?: Date | null;

  /** When the placeholder has to be edited again; null while it shows the present state. */
  @Column('timestamptz', { name: 'edit_due_at', nullable: true, select: false })
  editDueAt?: Date | null;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}
