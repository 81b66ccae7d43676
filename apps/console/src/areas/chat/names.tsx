import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { membersOfSpaceKey, useMembersOfSpace } from '../../api/directory.js';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../language/use-words.js';
import { useLiveEvents } from './live/live-context.js';
import { chatWords } from './words.js';

/** A person or bot of the space. */
interface NamedMember {
  id: string;
  name: string;
  isBot: boolean;
}

interface Names {
  ownId: string;
  /** All members. Former members have names but cannot be selected. */
  all: readonly NamedMember[];
  of(id: string): string;
  author(message: Pick<MessageView, 'author_id' | 'author_type' | 'display_name'>): string;
  conversation(conversation: ConversationView): string;
}

const Context = createContext<Names | undefined>(undefined);

/** Returns the names of people, bots and conversations. */
export function useNames(): Names {
  const names = use(Context);
  if (!names) throw new Error('no names: render inside <NamesProvider>');
  return names;
}

/** Minimum interval between reloads for unknown members. */
const ASK_AGAIN_MS = 10_000;

/** Loads the names of the space's members. Guests get those in their conversations. */
export function NamesProvider({ children }: { children: ReactNode }) {
  const words = useWords(chatWords);
  const person = usePerson();
  const { data } = useMembersOfSpace();
  const byId = useMemo(
    () =>
      new Map([
        [person.id, person.display_name],
        ...(data ?? []).map(({ id, display_name: name }) => [id, name] as const),
      ]),
    [data, person],
  );
  useNewcomers(byId);
  const names = useMemo<Names>(() => {
    const all: NamedMember[] = (data ?? [])
      .filter(({ is_active: isActive }) => isActive)
      .map(({ id, display_name: name, type }) => ({ id, name, isBot: type === 'bot' }));
    if (!all.some(({ id }) => id === person.id))
      all.unshift({ id: person.id, name: person.display_name, isBot: false });
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
  }, [data, byId, person, words]);
  return <Context value={names}>{children}</Context>;
}

/** Reloads the names when an unknown member posts. */
function useNewcomers(known: ReadonlyMap<string, string>): void {
  const queries = useQueryClient();
  const asked = useRef(0);
  useLiveEvents((event) => {
    if (event.event !== 'message.new' || known.has(event.author_id)) return;
    if (event.author_type !== 'user' && event.author_type !== 'bot') return;
    if (Date.now() - asked.current < ASK_AGAIN_MS) return;
    asked.current = Date.now();
    void queries.invalidateQueries({ queryKey: membersOfSpaceKey });
  });
}
