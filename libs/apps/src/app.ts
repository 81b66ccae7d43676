import { EVENT_FORMATS } from '@tieline/bots';
import type { EventFormat } from '@tieline/bots';
import { nullable, text } from '@tieline/platform/database';
import { Check, IsHttpsUrl, IsOneLine, isScope, IsText, SCOPES } from '@tieline/platform/http';
import type { ApiError, Scope } from '@tieline/platform/http';
import { distinct, field } from '@tieline/platform/resource';
import type { InputOf, SettingsOf } from '@tieline/platform/resource';
import { IsBoolean, IsString, MaxLength } from 'class-validator';
import { redirectUrisInvalid, scopesInvalid } from './apps.errors.js';
import { redirectUriProblem } from './redirect-uri.js';

const CLIENT_TYPES = ['confidential', 'public'] as const;
/** Whether the program can keep a secret. */
export type ClientType = (typeof CLIENT_TYPES)[number];

const DISTRIBUTIONS = ['space', 'listed'] as const;
/** Who may install the app. */
export type Distribution = (typeof DISTRIBUTIONS)[number];

const MAX_REDIRECT_URIS = 10;
const TIME = '2026-11-21T09:00:00.000Z';
const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71';
/** What admins set. */
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;

const scopes = (name: string, whose: string) =>
  field('text[]', {
    ...SETTING,
    default: [],
    body: { enum: [...SCOPES] },
    rules: [Check((value) => (isScopeList(value) ? undefined : scopesInvalid(name)))],
    read: distinct,
    example: ['messages:write'],
    description: `scopes that the app asks for ${whose}`,
  });

/** The fields of an app. */
export const APP = {
  id: field('uuid', { key: true, shown: true, example: ID }),
  spaceId: field('uuid', { key: true, shown: true, example: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11' }),
  name: field('text', {
    ...SETTING,
    body: { minLength: 1, maxLength: 64 },
    rules: [IsOneLine(64)],
    example: 'Deploys',
  }),
  description: field('text', {
    ...SETTING,
    default: '',
    body: { maxLength: 500 },
    rules: [IsText(0, 500)],
    example: 'Tells channels what was deployed',
  }),
  iconUrl: field('text', {
    ...SETTING,
    default: '',
    rules: [IsHttpsUrl({ orEmpty: true })],
    example: 'https://example.com/icon.png',
    description: 'HTTPS, or empty',
  }),
  homepageUrl: field('text', {
    ...SETTING,
    default: '',
    rules: [IsHttpsUrl({ orEmpty: true })],
    example: 'https://example.com',
    description: 'HTTPS, or empty',
  }),
  installUrl: field('text', {
    ...SETTING,
    default: '',
    rules: [IsHttpsUrl({ orEmpty: true })],
    example: 'https://example.com/install',
    description: 'HTTPS, or empty; leads to authorize, the directory opens it',
  }),
  redirectUris: field('text[]', {
    ...SETTING,
    body: { minItems: 1, maxItems: MAX_REDIRECT_URIS },
    rules: [Check(redirectUrisProblem)],
    read: distinct,
    example: ['https://example.com/oauth/callback'],
    description: 'https, or http on localhost; a request must name one of them exactly',
  }),
  clientType: field(text<ClientType>(), {
    settable: ['create'],
    audited: true,
    shown: true,
    default: 'confidential',
    enum: CLIENT_TYPES,
    description: '`public`: a program that cannot keep a secret, such as a desktop app',
  }),
  botScopes: scopes('bot_scopes', 'for its bot'),
  userScopes: scopes('user_scopes', 'for tokens of people'),
  eventUrl: field('text', {
    ...SETTING,
    default: '',
    body: { description: 'HTTPS and public; empty: events are not pushed' },
    rules: [MaxLength(2048), IsString()],
    example: 'https://example.com/events',
  }),
  interactiveUrl: field('text', {
    ...SETTING,
    default: '',
    body: { description: 'HTTPS and public; receives clicks and forms of its bots' },
    rules: [MaxLength(2048), IsString()],
    example: 'https://example.com/interactive',
  }),
  eventFormat: field(text<EventFormat>(), {
    ...SETTING,
    default: 'native',
    enum: EVENT_FORMATS,
    body: { description: '`slack`: its bots receive events as Slack apps do' },
    shown: { example: 'native', description: 'form of the events of its bots' },
  }),
  tokenRotation: field('bool', {
    ...SETTING,
    default: false,
    rules: [IsBoolean()],
    shown: { example: false },
    description: 'true: the tokens of its bots are valid for an hour and come with a refresh token',
  }),
  distribution: field(text<Distribution>(), {
    ...SETTING,
    default: 'space',
    enum: DISTRIBUTIONS,
    description: '`listed`: other spaces can install it once the operator has listed it',
  }),
  isActive: field('bool', {
    ...SETTING,
    default: true,
    shown: { example: true },
    body: {
      description:
        'false: it cannot be installed or authorized, its tokens are refused and its bots disabled',
    },
  }),
  isListed: field('bool', { audited: true, shown: { example: false, description: 'set by the operator' } }),
  clientId: field('text', { shown: true, example: 'K1Yk8iRzq0SxVY2i3kQ1xA' }),
  createdBy: field('uuid', { shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02' }),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  /** A deleted app keeps its row, because installations name it. */
  deletedAt: field(nullable('timestamptz')),
  previousClientSecretExpiresAt: field(nullable('timestamptz'), {
    shown: {
      example: TIME,
      optional: true,
      description: "end of the previous client secret's validity; absent if there is none",
    },
  }),
  /** SHA-256; null for a public client. */
  clientSecretHash: field(nullable('bytea'), { secret: true }),
  previousClientSecretHash: field(nullable('bytea'), { secret: true }),
  /** Sealed by the SecretBox for `APP_SIGNING_SECRET`. */
  signingSecret: field('bytea', { secret: true }),
};

/** Settings of an app. */
export type AppSettings = SettingsOf<typeof APP>;
/** The settings of a new app. */
export type NewApp = InputOf<typeof APP, 'create'>;
/** Settings in a request. Undefined ones stay unchanged. */
export type AppInput = InputOf<typeof APP, 'update'>;

/** Returns the scopes in a list, in the order of {@link SCOPES}. */
export const scopesIn = (names: readonly string[]): Scope[] =>
  SCOPES.filter((scope) => names.includes(scope));

function isScopeList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && isScope(name));
}

function redirectUrisProblem(value: unknown): ApiError | undefined {
  if (value === undefined || value === null) return redirectUrisInvalid('is required');
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_REDIRECT_URIS)
    return redirectUrisInvalid(`must be a list of 1 to ${MAX_REDIRECT_URIS} addresses`);
  for (const uri of value as unknown[]) {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'must be addresses';
    if (problem !== undefined) return redirectUrisInvalid(problem);
  }
  return undefined;
}
