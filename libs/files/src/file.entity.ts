import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { FileType } from './uploads/media-types.js';

export const FILE_STATUSES = ['uploading', 'ready'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** A file of a bot or of a person. */
@Entity('files')
export class StoredFile {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  /** Null for a person's file. */
  @Column('uuid', { name: 'bot_id', nullable: true })
  botId: string | null;

  /** Null for a bot's file. */
  @Column('uuid', { name: 'user_id', nullable: true, select: false })
  userId?: string | null;

  /** Null until a file that was made for no conversation is attached to a message. */
  @Column('uuid', { name: 'conversation_id', nullable: true })
  conversationId: string | null;

  @Column('text', { name: 'file_type' })
  fileType: FileType;

  @Column('text', { name: 'file_name' })
  fileName: string;

  /** Lower case, without parameters. */
  @Column('text', { name: 'mime_type' })
  mimeType: string;

  /** Declared size in bytes. */
  @Column('bigint', { name: 'file_size' })
  fileSize: number;

  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @Column('text')
  status: FileStatus;

  /** Set if the uploaded bytes differ from the declared ones. The file then never becomes ready. */
  @Column('timestamptz', { name: 'refused_at', nullable: true })
  refusedAt: Date | null;

  @Column('uuid', { name: 'message_id', nullable: true })
  messageId: string | null;

  /** Position among the message's files, from 1. */
  @Column('smallint', { nullable: true, select: false })
  position?: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
