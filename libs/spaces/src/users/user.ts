import { nullable, text } from '@tieline/platform/database';
import { IsOneLine, IsText } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf } from '@tieline/platform/resource';
import { Matches } from 'class-validator';
import { ROLES } from './roles.js';
import type { Role } from './roles.js';

const EMAIL_OR_EMPTY = /^$|^[^\s@]+@[^\s@]+$/;
/** What admins set. */
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;

/** The fields of a person. The notification settings are private, so the audit log lacks them. */
export const USER = {
  id: field('uuid', { key: true, shown: true, example: '0198f3a2-7c1b-7000-8000-0000000000b1' }),
  spaceId: field('uuid', { key: true }),
  displayName: field('text', {
    ...SETTING,
    settable: ['create', 'update', 'self'],
    body: { minLength: 1, maxLength: 64 },
    rules: [IsOneLine(64)],
    example: 'Ada',
  }),
  /** Empty when unknown. */
  email: field('text', {
    ...SETTING,
    default: '',
    body: { maxLength: 254, pattern: EMAIL_OR_EMPTY.source, description: 'empty: none' },
    rules: [IsText(0, 254), Matches(EMAIL_OR_EMPTY, { message: '$property must be an e-mail address' })],
    shown: { description: 'empty when unknown, and for tokens without the scope `users:read.email`' },
    example: 'ada@example.com',
  }),
  role: field(text<Role>(), { ...SETTING, default: 'member', enum: ROLES, shown: { example: 'member' } }),
  isActive: field('bool', {
    ...SETTING,
    default: true,
    body: { description: "false: the person's token is refused" },
    shown: { example: true },
  }),
  createdAt: field('timestamptz', { shown: true, example: '2026-11-01T09:00:00.000Z' }),
  dndUntil: field(nullable('timestamptz')),
  /** SHA-256 of the token. */
  tokenHash: field('bytea', { secret: true }),
};

/** The fields of a new person. */
export type NewUser = InputOf<typeof USER, 'create'>;
/** What an admin changes of a person. Undefined values stay unchanged. */
export type UserChanges = InputOf<typeof USER, 'update'>;
