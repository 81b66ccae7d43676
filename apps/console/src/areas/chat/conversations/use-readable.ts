import type { ConversationView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../app/api/api-context.js';
import { conversationPages } from './use-conversations.js';

/** The conversations that the list beside has read, and those that it reads later. */
export function useReadable(): ConversationView[] {
  const { data } = useInfiniteQuery({ ...conversationPages(useApi()), enabled: false });
  return (data?.pages ?? [])
    .flatMap(({ conversations }) => conversations)
    .filter(({ type }) => type !== 'thread');
}
