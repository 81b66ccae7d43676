import type { ConversationView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { conversationPages } from './use-conversations.js';

/** Returns the conversations loaded by the list, including later ones. */
export function useReadable(): ConversationView[] {
  const { data } = useInfiniteQuery({ ...conversationPages(useApi()), enabled: false });
  return (data?.pages ?? [])
    .flatMap(({ conversations }) => conversations)
    .filter(({ type }) => type !== 'thread');
}
