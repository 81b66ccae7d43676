import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useLiveEvents } from './live-context.js';
import { current, withStatus } from './bot-statuses.js';
import type { BotStatus } from './bot-statuses.js';

const Context = createContext<readonly BotStatus[]>([]);

/** Collects the statuses of bots from the stream and removes them when they expire. */
export function StatusProvider({ children }: { children: ReactNode }) {
  const [statuses, setStatuses] = useState<readonly BotStatus[]>([]);
  useLiveEvents((event) => setStatuses((before) => withStatus(before, event, Date.now())));
  useEffect(() => {
    if (statuses.length === 0) return;
    const next = Math.min(...statuses.map(({ endsAt }) => endsAt)) - Date.now();
    const timer = setTimeout(() => setStatuses((before) => current(before, Date.now())), Math.max(next, 0));
    return () => clearTimeout(timer);
  }, [statuses]);
  return <Context value={statuses}>{children}</Context>;
}

/** Returns the statuses of a conversation or thread. */
export function useStatuses(conversationId: string, rootId?: string): BotStatus[] {
  return use(Context).filter((one) => one.conversationId === conversationId && one.rootId === rootId);
}
