import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TaskAction, TaskStatus } from './states/execution-task.states.js';

/** A file delivered by a run, as shown. */
export interface Artifact {
  file_id: string;
  file_name: string;
  mime_type: string;
  file_size: number;
}

/**
 * A task widget of a bot. Statements make and change it, because both depend on what is stored; the
 * rest is read and written here.
 */
@Entity('execution_tasks')
export class ExecutionTask {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'id' })
  widgetId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  @Column('text', { name: 'idempotency_key', select: false })
  idempotencyKey?: string;

  /** Hash of the request, to distinguish a repeat from another request under the same key. */
  @Column('bytea')
  fingerprint: Buffer;

  /** As the bot named it. */
  @Column('uuid', { name: 'conversation_id' })
  conversationId: string;

  /** The thread's parent, else the conversation itself. */
  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  /** The root of its message's thread. */
  @Column('uuid', { name: 'root_message_id', select: false })
  rootMessageId?: string;

  @Column('uuid', { name: 'agent_run_id', nullable: true })
  agentRunId: string | null;

  /** Whether that run still works: a task takes one such run at a time. */
  @Column('boolean', { name: 'run_active' })
  runActive: boolean;

  @Column('text')
  status: TaskStatus;

  @Column('text')
  title: string;

  @Column('text')
  description: string;

  @Column('text', { name: 'public_text' })
  publicText: string;

  @Column('text', { name: 'error_code' })
  errorCode: string;

  @Column('bigint')
  sequence: number;

  @Column('jsonb')
  artifacts: Artifact[];

  @Column('text', { name: 'allowed_actions', array: true })
  allowedActions: TaskAction[];

  /** SHA-256 of the capability. */
  @Column('bytea', { name: 'capability_hash', select: false })
  capabilityHash?: Buffer;

  @Column('text', { name: 'capability_prefix' })
  capabilityPrefix: string;

  @Column('timestamptz', { name: 'capability_expires_at' })
  capabilityExpiresAt: Date;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'closed_at', nullable: true })
  closedAt: Date | null;
}
