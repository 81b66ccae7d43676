import { getBotAsAdmin, listBotsAsAdmin, listConversationsAsPerson } from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../api/api-session.js';

/** The bots of the space, newest first. */
export const botsQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: ['bots', 'list'],
    queryFn: ({ pageParam }) => listBotsAsAdmin({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
  });

/** One bot. */
export const botQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: ['bots', 'one', id],
    queryFn: async () => (await getBotAsAdmin({ client, path: { id } })).bot,
  });

/** Up to two hundred channels that the person can see. */
export const channelsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['channels'],
    queryFn: async () => {
      const { conversations } = await listConversationsAsPerson({ client, query: { limit: 200 } });
      return conversations.filter(isChannel);
    },
  });

const isChannel = ({
  is_direct: isDirect,
  parent_conversation_id: parent,
  archived_at: archived,
}: ConversationView) => !isDirect && !parent && archived === null;
