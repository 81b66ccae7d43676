import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

const KEY = ['chat', 'draft'];

/** Keeps the unsent text of a conversation or thread until it is sent or the person signs out. */
export function useDraft(conversationId: string, rootId: string | undefined) {
  const queries = useQueryClient();
  const queryKey = [...KEY, conversationId, rootId];
  const [first] = useState(() => queries.getQueryData<string>(queryKey) ?? '');
  const keep = (text: string) => {
    queries.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
    if (text === '') queries.removeQueries({ queryKey, exact: true });
    else queries.setQueryData(queryKey, text);
  };
  return { first, keep };
}
