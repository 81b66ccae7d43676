import {
  listBotsAsAdmin,
  listConversationsAsPerson,
  listMembersOfSpaceAsPerson,
  listUsersAsAdmin,
} from '@tieline/sdk/api';
import type { BotView, ConversationView, MemberOfSpaceView, UserView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.js';

/** Maximum number of pages read from one list: twenty pages of a hundred. */
const PAGES = 20;

/** Reads the pages of a list with a cursor, at most 2,000 items. */
export async function readAll<Page extends { next_cursor: string }, Item>(
  read: (query: { cursor: string; limit: number }) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = '';
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await read({ cursor, limit: 100 });
    found.push(...items(answer));
    cursor = answer.next_cursor;
    if (cursor === '') break;
  }
  return found;
}

/** Returns the channels that the user can see and that accept posts, sorted by name. */
export function useChannels() {
  const client = useApi();
  return useQuery({
    queryKey: ['directory', 'channels'],
    staleTime: 30_000,
    queryFn: async (): Promise<ConversationView[]> => {
      const list = await readAll(
        (query) => listConversationsAsPerson({ client, query }),
        ({ conversations }) => conversations,
      );
      return list
        .filter((one) => !one.is_direct && one.type !== 'thread' && one.archived_at === null)
        .sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** Returns all people of the space, sorted by name. For admins. */
export function usePeople() {
  const client = useApi();
  return useQuery({
    queryKey: ['directory', 'people'],
    staleTime: 30_000,
    queryFn: async (): Promise<UserView[]> => {
      const list = await readAll(
        (query) => listUsersAsAdmin({ client, query }),
        ({ users }) => users,
      );
      return list.sort((a, b) => a.display_name.localeCompare(b.display_name));
    },
  });
}

/** Query key of {@link useMembersOfSpace}, invalidated when a member is added. */
export const membersOfSpaceKey = ['directory', 'members'] as const;

/** Returns the people and bots visible to the user, including former members. */
export function useMembersOfSpace() {
  const client = useApi();
  return useQuery({
    queryKey: membersOfSpaceKey,
    staleTime: 60_000,
    queryFn: (): Promise<MemberOfSpaceView[]> =>
      readAll(
        (query) => listMembersOfSpaceAsPerson({ client, query }),
        ({ members }) => members,
      ),
  });
}

/** Returns all bots of the space. For admins. */
export function useBotNames() {
  const client = useApi();
  return useQuery({
    queryKey: ['directory', 'bots'],
    staleTime: 30_000,
    queryFn: (): Promise<BotView[]> =>
      readAll(
        (query) => listBotsAsAdmin({ client, query }),
        ({ bots }) => bots,
      ),
  });
}
