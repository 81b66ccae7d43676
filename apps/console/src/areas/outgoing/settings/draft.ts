import { SUBSCRIPTION_EVENT_TYPES } from '@tieline/sdk/api';
import type { CreateOutgoingWebhookDto, SubscriptionView } from '@tieline/sdk/api';

type EventType = CreateOutgoingWebhookDto['event_types'][number];

/** Values of the subscription form. */
export interface Draft {
  name: string;
  url: string;
  eventTypes: EventType[];
  channelIds: string[];
  trigger: 'all' | 'mention' | 'keywords';
  /** One keyword per line. */
  keywords: string;
  userIds: string[];
  includeContext: boolean;
  contextSize: string;
  retryProfile: 'contract' | 'extended';
  isThin: boolean;
  isOrdered: boolean;
}

/** Values of a new subscription. */
export const EMPTY_DRAFT: Draft = {
  name: '',
  url: '',
  eventTypes: ['MESSAGE_CREATED'],
  channelIds: [],
  trigger: 'all',
  keywords: '',
  userIds: [],
  includeContext: false,
  contextSize: '10',
  retryProfile: 'contract',
  isThin: false,
  isOrdered: false,
};

/** Converts a subscription to form values. */
export function draftOf(view: SubscriptionView): Draft {
  const config = view.trigger_config as { keywords?: string[]; user_ids?: string[] };
  return {
    name: view.name,
    url: view.url,
    eventTypes: SUBSCRIPTION_EVENT_TYPES.filter((type) => view.event_types.includes(type)),
    channelIds: view.channel_ids,
    trigger: view.trigger,
    keywords: (config.keywords ?? []).join('\n'),
    userIds: config.user_ids ?? [],
    includeContext: view.include_context,
    contextSize: String(view.context_size),
    retryProfile: view.retry_profile,
    isThin: view.payload === 'thin',
    isOrdered: view.ordered,
  };
}

/**
 * Converts form values to the request body. Thin payloads have no context, whatever the form says.
 */
export function bodyOf(draft: Draft): CreateOutgoingWebhookDto {
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    event_types: draft.eventTypes,
    channel_ids: draft.channelIds,
    trigger: draft.trigger,
    ...triggerConfig(draft),
    include_context: draft.includeContext && !draft.isThin,
    context_size: Number(draft.contextSize),
    retry_profile: draft.retryProfile,
    payload: draft.isThin ? 'thin' : 'full',
    ordered: draft.isOrdered,
  };
}

/** Splits keywords at line breaks and commas, without duplicates. */
export function keywordsIn(text: string): string[] {
  const words = text.split(/[\n,]/).map((word) => word.trim().replace(/\s+/g, ' '));
  return [...new Set(words.filter((word) => word !== ''))];
}

function triggerConfig({
  trigger,
  keywords,
  userIds,
}: Draft): Pick<CreateOutgoingWebhookDto, 'trigger_config'> {
  if (trigger === 'keywords') return { trigger_config: { keywords: keywordsIn(keywords) } };
  if (trigger === 'mention') return { trigger_config: userIds.length > 0 ? { user_ids: userIds } : {} };
  return {};
}
