import { listBotsAsAdmin, listUsersAsAdmin } from '@tieline/sdk/api';
import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { createContext, use, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../app/api/api-context.js';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../app/words/use-words.js';
import { chatWords } from './words.js';

/** Somebody who can be named. */
export interface Named {
  id: string;
  name: string;
  isBot: boolean;
}

interface Names {
  ownId: string;
  /** Everybody known; for whoever is no admin, only themselves: no endpoint lists people to them. */
  all: readonly Named[];
  of(id: string): string;
  author(message: Pick<MessageView, 'author_id' | 'author_type' | 'display_name'>): string;
  conversation(conversation: ConversationView): string;
}

const Context = createContext<Names | undefined>(undefined);

/** Names of people, bots and conversations. */
export function useNames(): Names {
  const names = use(Context);
  if (!names) throw new Error('no names: render inside <NamesProvider>');
  return names;
}

const MOST = 200;

/** Reads who is who, as far as the role of the person allows. */
export function NamesProvider({ children }: { children: ReactNode }) {
  const client = useApi();
  const words = useWords(chatWords);
  const person = usePerson();
  const enabled = person.role === 'owner' || person.role === 'admin';
  const users = useQuery({
    queryKey: ['chat', 'users'],
    queryFn: () => listUsersAsAdmin({ client, query: { limit: MOST } }),
    enabled,
    staleTime: 60_000,
  });
  const bots = useQuery({
    queryKey: ['chat', 'bots'],
    queryFn: () => listBotsAsAdmin({ client, query: { limit: MOST } }),
    enabled,
    staleTime: 60_000,
  });
  const names = useMemo<Names>(() => {
    const all: Named[] = [
      ...(users.data?.users ?? []).map(({ id, display_name: name }) => ({ id, name, isBot: false })),
      ...(bots.data?.bots ?? []).map(({ id, display_name: name }) => ({ id, name, isBot: true })),
    ];
    if (!all.some(({ id }) => id === person.id))
      all.unshift({ id: person.id, name: person.display_name, isBot: false });
    const byId = new Map(all.map(({ id, name }) => [id, name]));
    const of = (id: string) => byId.get(id) ?? (id.length < 10 ? id : `…${id.slice(-6)}`);
    return {
      ownId: person.id,
      all,
      of,
      author: ({ author_id: id, author_type: type, display_name: shown }) =>
        shown ?? byId.get(id) ?? (type === 'webhook' ? words.webhook : of(id)),
      conversation: ({ name, is_direct: isDirect, member_ids: members = [] }) => {
        if (!isDirect) return name;
        const other = members.find((id) => id !== person.id);
        return other === undefined ? words.yourself : of(other);
      },
    };
  }, [users.data, bots.data, person, words]);
  return <Context value={names}>{children}</Context>;
}
