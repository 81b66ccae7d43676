import { listPromptsAsPerson } from '@tieline/sdk/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useLiveEvents } from '../live/live-context.js';
import { useNames } from '../names.js';
import styles from './prompts.module.css';
import { composerWords } from './words.js';

/** Bots whose prompts are shown, those with the latest ones first. */
const MOST = 3;

interface PromptsProps {
  conversationId: string;
  rootId: string | undefined;
  /** Sends the message of a prompt. */
  onChoose: (message: string) => void;
}

/** Messages that bots suggest (docs/agents.md#prompts), as chips. */
export function Prompts({ conversationId, rootId, onChoose }: PromptsProps) {
  const words = useWords(composerWords);
  const names = useNames();
  const all = usePrompts(conversationId, rootId);
  return all.slice(0, MOST).map(({ bot_id: id, title, prompts }) => (
    <div key={id} role="group" aria-label={words.promptsOf(names.of(id))} className={styles.prompts}>
      <span className={styles.title}>{title ?? names.of(id)}</span>
      <div className={styles.row}>
        {prompts.map((prompt, index) => (
          <Button key={index} className={styles.prompt} onPress={() => onChoose(prompt.message)}>
            {prompt.title}
          </Button>
        ))}
      </div>
    </div>
  ));
}

function usePrompts(conversationId: string, rootId: string | undefined) {
  const client = useApi();
  const queries = useQueryClient();
  const queryKey = ['chat', 'prompts', conversationId, rootId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      listPromptsAsPerson({
        client,
        path: { id: conversationId },
        query: { ...(rootId !== undefined && { thread_id: rootId }) },
        signal,
      }),
    staleTime: 60_000,
  });
  useLiveEvents((event) => {
    const isHere =
      event.event === 'bot.prompts' && event.conversation_id === conversationId && event.thread_id === rootId;
    if (isHere || event.event === 'connected' || event.event === 'resync')
      void queries.invalidateQueries({ queryKey });
  });
  return data?.prompts ?? [];
}
