import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { CONVERSATION } from './conversation.js';

/** A channel, voice chat, direct chat or thread. Writers lock this row. */
@Entity('conversations')
export class StoredConversation extends entityOf(CONVERSATION) {}
