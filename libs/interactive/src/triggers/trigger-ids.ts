import { Injectable, Module } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { InteractiveSettings } from '../interactive.settings.js';
import { decodeId, encodeIds, UUID_BYTES } from './encoded-ids.js';
import { SignedSubjects } from './signed-subjects.js';

/** What a person did, and where. */
export interface TriggerSubject {
  botId: string;
  /** The person who acted, and for whom a modal opens. */
  userId: string;
  /** Null if the person acted outside of a conversation. */
  conversationId: string | null;
  /** Root message, if it happened in a thread. */
  threadId: string | null;
  /** The message that the person acted on, if any. */
  messageId: string | null;
  /** The action of a native element; otherwise empty. */
  actionId: string;
}

/** The subject of a trigger id, expired or not. */
export interface ReadTrigger extends TriggerSubject {
  /** Identifies the trigger, which opens one modal. */
  id: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

const EXPIRY_BYTES = 6;
const IDS = 6;
const ACTION_AT = EXPIRY_BYTES + IDS * UUID_BYTES;

/**
 * Issues and reads trigger ids. A trigger id contains its
 * subject, signed, so that an interaction needs no row. Those of slash commands are ids of rows and
 * read by `CommandCallbacks`.
 */
@Injectable()
export class TriggerIds {
  private readonly signed: SignedSubjects;
  private readonly ttlMs: number;

  constructor(settings: PlatformSettings, { triggerTtlSeconds }: InteractiveSettings) {
    this.signed = new SignedSubjects(settings, 'trigger-id', TOKEN_PREFIXES.trigger);
    this.ttlMs = triggerTtlSeconds * 1000;
  }

  /** Issues a trigger id that expires after TRIGGER_TTL_SECONDS. */
  issue(spaceId: string, subject: TriggerSubject): string {
    const { botId, userId, conversationId, threadId, messageId, actionId } = subject;
    const head = Buffer.alloc(EXPIRY_BYTES);
    head.writeUIntBE(Date.now() + this.ttlMs, 0, EXPIRY_BYTES);
    const ids = encodeIds([uuidv7(), botId, userId, conversationId, threadId, messageId]);
    return this.signed.issue(spaceId, Buffer.concat([head, ids, Buffer.from(actionId)]));
  }

  /** Returns the subject, expired or not; undefined if it is not a trigger id of this space. */
  read(spaceId: string, triggerId: string): ReadTrigger | undefined {
    const bytes = this.signed.read(spaceId, triggerId);
    if (!bytes) return undefined;
    const idAt = (n: number): string | null => decodeId(bytes, EXPIRY_BYTES, n);
    return {
      expiresAt: bytes.readUIntBE(0, EXPIRY_BYTES),
      id: idAt(0) ?? '',
      botId: idAt(1) ?? '',
      userId: idAt(2) ?? '',
      conversationId: idAt(3),
      threadId: idAt(4),
      messageId: idAt(5),
      actionId: bytes.subarray(ACTION_AT).toString('utf8'),
    };
  }
}

/** Import it in libs that send interactions to bots. */
@Module({ providers: [TriggerIds, InteractiveSettings], exports: [TriggerIds] })
export class TriggerIdsModule {}
