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
 * A task widget of a bot. Named statements insert and change it, because both depend on the stored
 * state. The entity covers other reads and writes.
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

  /** The conversation from the request. */
  @Column('uuid', { name: 'conversation_id' })
  conversationId: string;

  /** The parent channel of a thread, otherwise the conversation itself. */
  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  /** The root message of the thread. */
  @Column('uuid', { name: 'root_message_id', select: false })
  rootMessageId?: string;

  @Column('uuid', { name: 'agent_run_id', nullable: true })
  agentRunId: string | null;

  /** Whether the linked run is still running. A task can have one running run at a time. */
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
