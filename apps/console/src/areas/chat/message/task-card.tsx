import { closeExecutionTaskAsPerson, reviewExecutionTaskAsPerson } from '@tieline/sdk/api';
import type { ExecutionTaskView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Failure } from '../../../ui/page/failure.js';
import { blockWords } from '../blocks/words.js';
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

interface TaskCardProps {
  task: ExecutionTaskView;
  onChange: (task: ExecutionTaskView) => void;
  /** Whether the user is only viewing the channel and cannot decide anything. */
  isStill?: boolean;
  /** Further actions. */
  children?: ReactNode;
}

/** A bot's task with its status and the decisions a person can make. */
export function TaskCard({ task, onChange, isStill = false, children }: TaskCardProps) {
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
  const mayDecide = !isStill && task.closed_at === null;
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
      <div className={styles.buttons}>
        {mayDecide && isDone && (
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
        {mayDecide && (
          <Button isSmall isPending={decide.isPending} onPress={() => decide.mutate('close')}>
            {words.closeTask}
          </Button>
        )}
        {children}
      </div>
    </section>
  );
}
