import { listConversationsAsPerson } from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import type { ApiClient } from '../../../api/api-session.js';
import { usePerson } from '../../../app/session/session.js';
import { useLiveEvents } from '../live/live-context.js';

/** Query key of the list. */
export const conversationsKey = ['chat', 'conversations'] as const;

/** Query for the pages of the list. */
export const conversationPages = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: conversationsKey,
    queryFn: ({ pageParam }) =>
      listConversationsAsPerson({ client, query: { limit: 100, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    staleTime: 30_000,
  });

/** The user's conversations with their unread counts. */
export interface Conversations {
  all: readonly ConversationView[];
  unread: ReadonlyMap<string, number>;
  isPending: boolean;
  error: unknown;
  retry: () => unknown;
}

/**
 * Loads all conversations page by page. Reloads when a message arrives in an unknown conversation.
 */
export function useConversations(openId: string | undefined): Conversations {
  const client = useApi();
  const queries = useQueryClient();
  const person = usePerson();
  const [unread, setUnread] = useState<ReadonlyMap<string, number>>(new Map());
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(conversationPages(client));
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const all = data?.pages.flatMap(({ conversations }) => conversations) ?? [];
  useLiveEvents((event) => {
    if (event.event === 'resync') void queries.invalidateQueries({ queryKey: conversationsKey });
    if (event.event !== 'message.new') return;
    const id = event.conversation_context.parent_conversation_id ?? event.conversation_id;
    if (!isPending && !all.some((conversation) => conversation.id === id))
      void queries.invalidateQueries({ queryKey: conversationsKey });
    if (event.author_id !== person.id && id !== openId)
      setUnread((counts) => new Map(counts).set(id, (counts.get(id) ?? 0) + 1));
  });
  useEffect(() => {
    if (openId !== undefined)
      setUnread((counts) => new Map([...counts].filter(([conversationId]) => conversationId !== openId)));
  }, [openId]);
  return { all, unread, isPending, error, retry: refetch };
}
