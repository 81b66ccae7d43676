import { nullable, text } from '@tieline/platform/database';
import { IsOneLine, IsText, IsUuid, Trimmed } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf } from '@tieline/platform/resource';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';

/** Who can see a conversation. */
export const SCOPES = ['dm', 'public', 'private'] as const;
export type ConversationScope = (typeof SCOPES)[number];

/** Options of the texts that describe a channel or voice chat. */
const ABOUT = {
  settable: ['create', 'update'],
  default: '',
  body: { maxLength: 250 },
  rules: [IsText(0, 250), Trimmed()],
  shown: true,
} as const;

/** The fields of a channel, voice chat, direct chat or thread. */
export const CONVERSATION = {
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' }),
  spaceId: field('uuid', { key: true, shown: true, example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' }),
  type: field(text<'chat' | 'channel' | 'voice' | 'thread'>(), {
    settable: ['create'],
    default: 'channel',
    body: { enum: ['channel', 'voice'] },
    rules: [IsIn(['channel', 'voice'])],
    shown: { example: 'channel', description: 'chat, channel, voice or thread' },
  }),
  subtype: field(nullable('text'), { shown: { optional: true, example: 'notes' } }),
  scope: field(text<ConversationScope>(), { shown: true, enum: SCOPES, example: 'public' }),
  /** Empty for direct chats and threads. */
  name: field('text', {
    settable: ['create', 'update'],
    body: { minLength: 1, maxLength: 100 },
    rules: [IsOneLine(100), Trimmed()],
    shown: true,
    example: 'releases',
  }),
  topic: field('text', { ...ABOUT, example: 'Release 4711', description: 'what it is about now, or empty' }),
  purpose: field('text', { ...ABOUT, example: 'Plans of releases', description: 'what it is for, or empty' }),
  title: field(nullable('text'), {
    shown: { optional: true, example: 'Release 4711', description: 'threads only: set by a bot' },
  }),
  isDirect: field('bool', { stored: false, shown: true, example: false }),
  /** Requests set it instead of the scope. */
  isPublic: field('bool', {
    stored: false,
    settable: ['create'],
    default: true,
    body: { description: 'false: only members see it' },
    shown: { example: true },
  }),
  parentConversationId: field(nullable('uuid'), {
    shown: { optional: true },
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d40',
    description: 'threads only: their channel',
  }),
  rootMessageId: field(nullable('uuid'), {
    shown: { optional: true },
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
    description: 'threads only',
  }),
  createdBy: field('uuid', { shown: true, example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' }),
  createdAt: field('timestamptz', { shown: true, example: '2026-01-31T09:00:00.123456000Z' }),
  /** Null for threads in the table: the state of their channel applies. */
  archivedAt: field(nullable('timestamptz'), { shown: true, example: '2026-02-28T09:00:00.123456000Z' }),
  memberIds: field('uuid[]', {
    stored: false,
    settable: ['create'],
    default: [],
    body: { description: 'users and bots besides the caller' },
    rules: [IsUuid({ each: true }), ArrayMaxSize(1000), IsArray()],
    shown: {
      optional: true,
      example: ['01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'],
      description: 'both members; direct chats only',
    },
  }),
  isMember: field('bool', {
    stored: false,
    shown: true,
    example: true,
    description: 'whether the caller is a member; for a thread, of its channel',
  }),
  muted: field('bool', {
    stored: false,
    shown: true,
    example: false,
    description: 'whether the caller muted it',
  }),
  /** Both member ids of a direct chat, the smaller first, joined by a colon. */
  dmKey: field(nullable('text')),
  /** Member bots; empty for threads in the table. */
  botIds: field('uuid[]'),
  lastMsgIndex: field('int8'),
  /** Time of the last message, edit, deletion or reaction. */
  lastChangedAt: field(nullable('timestamptz')),
};

/** What a request sets to create a channel or voice chat. */
export type ConversationSettings = InputOf<typeof CONVERSATION, 'create'>;
/** What a request changes in a channel or voice chat. Undefined values stay unchanged. */
export type ConversationChange = InputOf<typeof CONVERSATION, 'update'>;
