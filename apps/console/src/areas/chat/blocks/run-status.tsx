import { stopAgentRunAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Failure } from '../../../ui/page/failure.js';
import styles from './blocks.module.css';
import type { AgentRun } from './metadata.js';
import { blockWords } from './words.js';

const LOOKS = { completed: 'good', failed: 'bad', expired: 'warning', cancelled: 'plain' } as const;

interface RunStatusProps {
  run: AgentRun;
  /** Whether the user is a member, who can stop the run. */
  mayStop: boolean;
}

/** Status of an agent run, with a button that asks the bot to stop it. */
export function RunStatus({ run: { id, status, isFinal, isStopping, errorCode }, mayStop }: RunStatusProps) {
  const words = useWords(blockWords);
  const client = useApi();
  const state = useRef<HTMLSpanElement>(null);
  const stop = useMutation({
    mutationFn: () => stopAgentRunAsPerson({ client, path: { run_id: id } }),
    // The button disappears, so the focus of the keyboard moves to the state.
    onSuccess: () => state.current?.focus(),
  });
  const names: Readonly<Record<string, string>> = {
    accepted: words.accepted,
    queued: words.queued,
    gathering_context: words.gatheringContext,
    using_tool: words.usingTool,
    waiting_tool: words.waitingTool,
    waiting_user: words.waitingUser,
    finalizing: words.finalizing,
    completed: words.completed,
    failed: words.failed,
    cancelled: words.cancelled,
    expired: words.expired,
  };
  const look = isFinal ? (LOOKS[status as keyof typeof LOOKS] ?? 'plain') : 'info';
  const name = isStopping && !isFinal ? words.stopping : (names[status] ?? status);
  return (
    <>
      <div className={styles.run}>
        <span ref={state} tabIndex={-1} role="status" data-working={isFinal ? undefined : ''}>
          <Badge kind={look}>{name}</Badge>
        </span>
        {errorCode !== '' && <code>{errorCode}</code>}
        {mayStop && !isFinal && !isStopping && (
          <Button isSmall isPending={stop.isPending} onPress={() => stop.mutate()}>
            {words.stop}
          </Button>
        )}
      </div>
      {stop.error && !isFinal && <Failure failure={stop.error} />}
    </>
  );
}
