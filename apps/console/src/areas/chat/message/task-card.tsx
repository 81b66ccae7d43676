import { closeExecutionTaskAsPerson, reviewExecutionTaskAsPerson } from '@tieline/sdk/api';
import type { ExecutionTaskView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Failure } from '../../../ui/page/failure.js';
import { blockWords } from '../blocks/words.js';
import { useLiveEvents } from '../live/live-context.js';
import { Markdown } from '../markdown/markdown.js';
import styles from './task-card.module.css';

const LOOKS = {
  open: 'info',
  in_progress: 'info',
  blocked: 'warning',
  completed: 'warning',
  accepted: 'good',
  rejected: 'bad',
  cancelled: 'plain',
  closed: 'plain',
} as const;

/** Tasks of a thread that something happened to while it was looked at: no endpoint lists the others. */
export function ThreadTasks({ threadId }: { threadId: string | undefined }) {
  const [tasks, setTasks] = useState<readonly ExecutionTaskView[]>([]);
  const keep = (task: ExecutionTaskView) =>
    setTasks((known) => [...known.filter(({ widget_id: id }) => id !== task.widget_id), task]);
  useLiveEvents((event) => {
    if (event.event === 'execution_task.updated') keep(event.execution_task);
  });
  const shown = tasks.filter((task) => task.conversation_id === threadId);
  if (shown.length === 0) return null;
  return (
    <div className={styles.tasks}>
      {shown.map((task) => (
        <TaskCard key={task.widget_id} task={task} onChange={keep} />
      ))}
    </div>
  );
}

/** A bot's task: what it is, how far, and what a person may decide about it. */
export function TaskCard({
  task,
  onChange,
}: {
  task: ExecutionTaskView;
  onChange: (task: ExecutionTaskView) => void;
}) {
  const words = useWords(blockWords);
  const client = useApi();
  const path = { widget_id: task.widget_id };
  const names: Record<ExecutionTaskView['status'], string> = {
    open: words.open,
    in_progress: words.inProgress,
    blocked: words.blocked,
    completed: words.toReview,
    accepted: words.taskAccepted,
    rejected: words.rejected,
    cancelled: words.cancelled,
    closed: words.closed,
  };
  const decide = useMutation({
    mutationFn: (decision: 'accepted' | 'rejected' | 'close') =>
      decision === 'close'
        ? closeExecutionTaskAsPerson({ client, path })
        : reviewExecutionTaskAsPerson({ client, path, body: { decision } }),
    onSuccess: ({ execution_task: changed }) => onChange(changed),
  });
  const isDone = task.status === 'completed';
  return (
    <section className={styles.task} aria-label={`${words.task}: ${task.title}`}>
      <div className={styles.head}>
        <strong>{task.title}</strong>
        <Badge kind={LOOKS[task.status]}>{names[task.status]}</Badge>
      </div>
      {task.description !== '' && <Markdown text={task.description} />}
      {task.public_text !== '' && <Markdown text={task.public_text} />}
      {task.error_code !== '' && <code>{task.error_code}</code>}
      {task.artifacts.length > 0 && (
        <ul>
          {task.artifacts.map(({ file_id: id, file_name: name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
      {decide.error && <Failure failure={decide.error} />}
      {task.closed_at === null && (
        <div className={styles.buttons}>
          {isDone && (
            <>
              <Button
                isSmall
                kind="primary"
                isPending={decide.isPending}
                onPress={() => decide.mutate('accepted')}
              >
                {words.accept}
              </Button>
              <Button
                isSmall
                kind="danger"
                isPending={decide.isPending}
                onPress={() => decide.mutate('rejected')}
              >
                {words.reject}
              </Button>
            </>
          )}
          <Button isSmall isPending={decide.isPending} onPress={() => decide.mutate('close')}>
            {words.closeTask}
          </Button>
        </div>
      )}
    </section>
  );
}
