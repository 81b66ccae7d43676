import { nullable, text } from '@tieline/platform/database';
import { IsOneLine } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf, SettingsOf } from '@tieline/platform/resource';
import { IsIn } from 'class-validator';

export const PLANS = ['free', 'pro', 'enterprise'] as const;
/** The plan of a space. The libs that enforce its limits know them. */
export type Plan = (typeof PLANS)[number];

/** What the space's admins set. */
const OWN_SETTING = { settable: ['self'], audited: true } as const;

/** The fields of a space that the operator sees. Its admins make the requests `self`. */
export const OPERATED_SPACE = {
  id: field('uuid', { key: true, shown: true, example: '0198f3a2-7c1b-7000-8000-0000000000a1' }),
  name: field('text', {
    settable: ['create', 'update', 'self'],
    audited: true,
    shown: true,
    body: { minLength: 1, maxLength: 100 },
    rules: [IsOneLine(100)],
    example: 'Acme',
  }),
  plan: field(text<Plan>(), {
    settable: ['create', 'update'],
    audited: true,
    shown: true,
    default: 'free',
    enum: PLANS,
    rules: [IsIn(PLANS)],
  }),
  isActive: field('bool', {
    settable: ['update'],
    audited: true,
    shown: { example: true },
    default: true,
    body: { description: 'false: all tokens of the space are refused and nothing is delivered' },
  }),
  createdAt: field('timestamptz', { shown: true, example: '2026-11-01T09:00:00.000Z' }),
};

/** The fields of a space. */
export const SPACE = {
  ...OPERATED_SPACE,
  botsSeeEmails: field('bool', {
    ...OWN_SETTING,
    default: false,
    body: { description: "true: bots are shown people's e-mail addresses and find people by them" },
    shown: { example: false, description: "whether bots are shown people's e-mail addresses" },
  }),
  urgentApprovals: field('bool', {
    ...OWN_SETTING,
    default: false,
    body: { description: 'true: urgent approvals notify during do-not-disturb and quiet hours' },
    shown: { example: false, description: 'whether urgent approvals pass do-not-disturb and quiet hours' },
  }),
  appsNeedApproval: field('bool', {
    ...OWN_SETTING,
    default: true,
    body: { description: 'true: admins must approve the apps that members want to use' },
    shown: { example: true, description: 'whether admins must approve the apps that members want to use' },
  }),
  noticesConversationId: field(nullable('uuid'), {
    ...OWN_SETTING,
    default: null,
    body: {
      nullable: true,
      description:
        'a channel of the space, not archived, in which notices to admins are posted from now on; null: none',
    },
    shown: {
      example: '0198f3a2-7c1b-7000-8000-0000000000e1',
      description: 'channel in which notices to admins are posted; null: none',
    },
  }),
};

/** What the operator and the admins of a space set. */
export type SpaceSettings = SettingsOf<typeof SPACE>;
/** The settings of a new space. */
export type NewSpace = InputOf<typeof SPACE, 'create'>;
