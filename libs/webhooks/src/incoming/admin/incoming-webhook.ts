import { nullable } from '@tieline/platform/database';
import { IsHttpsUrl, IsOneLine, IsText, Trimmed } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf, SettingsOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET } from '@tieline/signing';

const TIME = '2026-01-02T03:04:05.678Z';
const REQUESTS = ['create', 'update'] as const;
/** What admins set and see. */
const SETTING = { settable: REQUESTS, audited: true, shown: true } as const;

/** The fields of an incoming webhook. */
export const INCOMING_WEBHOOK = {
  spaceId: field('uuid', { key: true }),
  id: field('uuid', { key: true, shown: true, example: '0190f2a4-7c1b-7000-8000-00000000abcd' }),
  name: field('text', {
    ...SETTING,
    body: {
      minLength: 1,
      maxLength: 100,
      description: 'shown as the author of its messages (the first 64 characters)',
    },
    rules: [IsOneLine(100), Trimmed()],
    example: 'Alerts',
  }),
  conversationId: field('uuid', {
    ...SETTING,
    body: { description: 'the channel or voice chat that receives the messages; must not be archived' },
    example: '0190f2a4-7c1b-7000-8000-00000000c001',
  }),
  requireSignature: field('bool', {
    ...SETTING,
    default: true,
    body: { description: 'false: anyone who knows the address can send' },
    shown: { example: true },
  }),
  defaultPush: field('bool', {
    ...SETTING,
    default: true,
    body: { description: 'false: in-app notifications only, unless the payload sets silent: false' },
    shown: { example: true },
  }),
  avatarUrl: field('text', {
    ...SETTING,
    default: '',
    body: { example: 'https://example.com/alerts.png' },
    rules: [IsHttpsUrl({ orEmpty: true })],
    shown: { example: '' },
    description: 'an HTTPS address, or empty',
  }),
  severityFromColor: field('bool', {
    ...SETTING,
    default: true,
    body: {
      description: "false: an attachment's color does not set the severity of a message sent without one",
    },
    shown: { example: true },
  }),
  groupAlerts: field('bool', {
    ...SETTING,
    default: true,
    body: {
      description:
        "groups messages sent in a program's native format: repeats of an alert edit one message, a resolved alert closes it, and events of one pull request, issue or pipeline share a thread",
    },
    shown: {
      example: true,
      description:
        "whether messages in a program's native format are grouped: repeats of an alert edit one message",
    },
  }),
  /** Null: follows `requireSignature`. */
  replayProtection: field(nullable('bool'), {
    ...SETTING,
    default: null,
    body: {
      description:
        'accepts each signature once; an exact repeat of a request gets the stored result; defaults to require_signature',
    },
    shown: { nullable: false, description: 'whether each signature is accepted only once' },
    example: true,
  }),
  /** Sealed secret of the sender's own signature scheme. Null: none. */
  nativeSecret: field(nullable('bytea')),
  hasNativeSecret: field('bool', {
    stored: false,
    shown: true,
    example: false,
    description: "whether the sender's own signature scheme is accepted",
  }),
  isActive: field('bool', {
    ...SETTING,
    default: true,
    body: { description: 'false: the address responds with 410' },
    shown: { example: true },
  }),
  tokenHash: field(nullable('bytea'), { secret: true }),
  signingSecret: field(nullable('bytea'), { secret: true }),
  ...PREVIOUS_SECRET,
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  deletedAt: field(nullable('timestamptz')),
  /** Authenticated requests that ended in 400 or 5xx since the last 2xx. */
  consecutiveFailures: field('int4'),
};

/** The fields of requests: the native secret is not sealed yet. */
export const INCOMING_REQUEST = {
  ...INCOMING_WEBHOOK,
  nativeSecret: field('text', {
    stored: false,
    settable: REQUESTS,
    default: '',
    body: {
      maxLength: 256,
      writeOnly: true,
      description:
        "secret for the sender's own signature scheme (GitHub, GitLab, Sentry, Grafana); never shown; empty: the scheme is not accepted",
      example: 'a-long-random-secret',
    },
    rules: [IsText(0, 256)],
  }),
};

/** Settings of an incoming webhook that admins can change. */
export type IncomingSettings = SettingsOf<typeof INCOMING_WEBHOOK>;
/** Settings of a new webhook. */
export type NewIncomingSettings = InputOf<typeof INCOMING_REQUEST, 'create'>;
/** Settings in a request. Undefined ones stay unchanged. */
export type IncomingSettingsInput = InputOf<typeof INCOMING_REQUEST, 'update'>;
