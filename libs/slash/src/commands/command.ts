import { urlRefused } from '@tieline/egress';
import { json, nullable } from '@tieline/platform/database';
import { characters, Check, NestedList } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf, SettingsOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET } from '@tieline/signing';
import {
  mustBeText,
  nameInvalid,
  nameRequired,
  optionsTooMany,
  requiredFirst,
  textTooLong,
} from '../slash.errors.js';
import { isCommandName } from './command-name.js';
import type { CommandOption } from './options/command-option.js';
import { CommandOptionDto } from './options/dto/command-option.dto.js';
import { storedOptions } from './options/new-options.js';

const MAX_DESCRIPTION = 200;
const MAX_USAGE_HINT = 100;
const MAX_URL = 2048;
const MAX_OPTIONS = 25;
const TIME = '2026-11-21T09:00:00.000Z';
/** What bots set and see. */
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;

/** The fields of a command that a bot registered. */
export const COMMAND = {
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' }),
  spaceId: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d01' }),
  botId: field('uuid', { shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' }),
  name: field('text', {
    ...SETTING,
    body: {
      pattern: '^[a-z][a-z0-9_-]*$',
      minLength: 1,
      maxLength: 32,
      description: 'without the slash; unique in the space',
    },
    rules: [Check(nameRule)],
    example: 'deploy',
  }),
  description: field('text', {
    ...SETTING,
    default: '',
    body: { maxLength: MAX_DESCRIPTION },
    rules: [Check((value) => textProblem('description', value, MAX_DESCRIPTION))],
    example: 'Deploys a service',
  }),
  usageHint: field('text', {
    ...SETTING,
    default: '',
    body: { maxLength: MAX_USAGE_HINT },
    rules: [Check((value) => textProblem('usage_hint', value, MAX_USAGE_HINT))],
    example: '<service> [version]',
  }),
  /** Empty if a bot in poll mode gave none. The egress policy validates the address itself. */
  callbackUrl: field('text', {
    ...SETTING,
    default: '',
    body: {
      maxLength: MAX_URL,
      description: 'public HTTPS address; required unless the bot is in poll mode',
    },
    rules: [Check(urlRule)],
    example: 'https://example.com/slash',
  }),
  isActive: field('bool', {
    audited: true,
    shown: true,
    example: true,
    description:
      'false after a reset of the bot, until the command has a callback and a secret again; an inactive command cannot be invoked',
  }),
  /** Empty if the command takes free text. In PATCH they replace all existing options. */
  options: field(json<CommandOption[]>(), {
    ...SETTING,
    default: [],
    body: {
      type: [CommandOptionDto],
      maxItems: MAX_OPTIONS,
      description: 'typed options instead of free text; required ones first',
    },
    rules: [Check(optionsProblem), NestedList(() => CommandOptionDto, { unique: 'name' })],
    read: storedOptions,
  }),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  /** The secret that signs callbacks; null after a reset of its bot. */
  signingSecret: field(nullable('bytea'), { secret: true }),
  ...PREVIOUS_SECRET,
};

/** Settings of a command. */
export type CommandSettings = SettingsOf<typeof COMMAND>;
/** Settings in a request. Undefined ones stay unchanged. */
export type CommandInput = InputOf<typeof COMMAND, 'update'>;

function nameRule(value: unknown): ApiError | undefined {
  if (value === undefined || value === null) return nameRequired();
  if (typeof value !== 'string') return mustBeText('name');
  return isCommandName(value) ? undefined : nameInvalid();
}

function textProblem(field: string, value: unknown, max: number): ApiError | undefined {
  if (typeof value !== 'string') return mustBeText(field);
  return characters(value) > max ? textTooLong(field, max) : undefined;
}

function urlRule(value: unknown): ApiError | undefined {
  const isShortText = typeof value === 'string' && value.length <= MAX_URL;
  return isShortText ? undefined : urlRefused('callback_url', 'invalid_url');
}

function optionsProblem(value: unknown): ApiError | undefined {
  if (!Array.isArray(value) || value.length > MAX_OPTIONS) return optionsTooMany(MAX_OPTIONS);
  const required = value.map((option: { required?: unknown } | null) => option?.required === true);
  return required.lastIndexOf(true) === required.filter(Boolean).length - 1 ? undefined : requiredFirst();
}
