import { useEffect, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import type { BotStatus } from '../live/bot-statuses.js';
import { useStatuses } from '../live/status-context.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './status-line.module.css';

/** How long each loading message is shown. */
const TURN_MS = 4000;
/** Statuses shown at a time. */
const MOST = 3;

/** What bots are doing in a conversation or thread, above the message input. */
export function StatusLine({ conversationId, rootId }: { conversationId: string; rootId?: string }) {
  const words = useWords(chatWords);
  const statuses = useStatuses(conversationId, rootId);
  // Always present, because screen readers announce changes of a region that they know.
  return (
    <div role="status" aria-label={words.botStatus} className={styles.statuses}>
      {statuses.slice(0, MOST).map((status) => (
        <OneStatus key={status.botId} status={status} />
      ))}
      {statuses.length > MOST && <p>{words.moreStatuses(statuses.length - MOST)}</p>}
    </div>
  );
}

function OneStatus({ status: { botId, text, loading } }: { status: BotStatus }) {
  const names = useNames();
  const shown = useTurns(loading);
  return (
    <p className={styles.status}>
      <span className={styles.dots} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span>
        <strong>{names.of(botId)}</strong> {text}
        {/* Announced once with the text. The turns would interrupt. */}
        {shown !== undefined && (
          <span aria-hidden className={styles.loading}>
            {shown}
          </span>
        )}
      </span>
    </p>
  );
}

/** Returns one of the texts after the other. */
function useTurns(texts: readonly string[]): string | undefined {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (texts.length < 2) return;
    const timer = setInterval(() => setTurn((before) => before + 1), TURN_MS);
    return () => clearInterval(timer);
  }, [texts]);
  return texts[turn % texts.length];
}
