import type { ConversationsPage, ConversationView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { conversationsKey } from './use-conversations.js';

/** The conversations that the list beside has read. */
export function useReadable(): ConversationView[] {
  const data = useQueryClient().getQueryData<InfiniteData<ConversationsPage>>(conversationsKey);
  return (data?.pages ?? [])
    .flatMap(({ conversations }) => conversations)
    .filter(({ type }) => type !== 'thread');
}
