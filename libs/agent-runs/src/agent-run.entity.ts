import type { AttachmentStatus } from '@tieline/conversations';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ValueTransformer } from 'typeorm';
import type { RunStatus } from './states/agent-run.states.js';

/** Converts 64-bit values: the driver returns a number only if it is exact, else a text. */
const exactly: ValueTransformer = {
  to: (value: bigint | null | undefined) => value?.toString() ?? value,
  from: (stored: number | string | null) => (stored === null ? null : BigInt(stored)),
};

/**
 * A run of a bot. Creation, changes and the end are SQL statements because they depend on the
 * stored state. Other reads and writes use this entity.
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

  /** As named by the bot. */
  @Column('uuid', { name: 'conversation_id' })
  conversationId: string;

  /** The parent channel of a thread, otherwise the conversation itself. */
  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  @Column('uuid', { name: 'parent_message_id', nullable: true })
  parentMessageId: string | null;

  @Column('uuid', { name: 'trigger_message_id' })
  triggerMessageId: string;

  /** The placeholder message. */
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

  /** This column and the next four: the last accepted PATCH as sent. */
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

  /** Time of the placeholder's last edit. */
  @Column('timestamptz', { name: 'edited_at', nullable: true, select: false })
  editedAt?: Date | null;

  /** When the placeholder must be edited next. Null while it shows the current state. */
  @Column('timestamptz', { name: 'edit_due_at', nullable: true, select: false })
  editDueAt?: Date | null;

  /** When a person first asked the bot to stop. */
  @Column('timestamptz', { name: 'stop_requested_at', nullable: true })
  stopRequestedAt: Date | null;

  @Column('uuid', { name: 'stop_requested_by', nullable: true })
  stopRequestedBy: string | null;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}
