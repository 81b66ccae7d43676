import { listExecutionTasksAsPerson } from '@tieline/sdk/api';
import type { ConversationView, ExecutionTaskView, ExecutionTasksPage } from '@tieline/sdk/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Paged } from '../../../ui/data/more.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { useLiveEvents } from '../live/live-context.js';
import { chatWords } from '../words.js';
import { TaskCard } from './task-card.js';
import styles from './task-card.module.css';

type Pages = InfiniteData<ExecutionTasksPage>;

/** Returns the tasks of a conversation or thread, updated by the stream. */
function useTasks(conversationId: string, rootId?: string) {
  const client = useApi();
  const queries = useQueryClient();
  const queryKey = ['chat', 'tasks', conversationId, rootId];
  const tasks = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) =>
      listExecutionTasksAsPerson({
        client,
        path: { id: conversationId },
        query: { limit: 20, cursor, ...(rootId !== undefined && { thread_id: rootId }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });
  const keep = (task: ExecutionTaskView) => {
    const isKnown = tasks.data?.pages.some((page) =>
      page.execution_tasks.some(({ widget_id: id }) => id === task.widget_id),
    );
    if (isKnown) queries.setQueryData<Pages>(queryKey, (pages) => pages && withTask(pages, task));
    else void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  };
  useLiveEvents((event) => {
    if (event.event === 'execution_task.updated') keep(event.execution_task);
    if (event.event === 'connected' || event.event === 'resync') void queries.invalidateQueries({ queryKey });
  });
  return { tasks, keep };
}

const withTask = (pages: Pages, task: ExecutionTaskView): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    execution_tasks: page.execution_tasks.map((known) =>
      // Ignores stream events older than the response to the user's own decision.
      known.widget_id === task.widget_id && known.sequence < task.sequence ? { ...known, ...task } : known,
    ),
  })),
});

interface ThreadTasksProps {
  conversation: ConversationView;
  rootId: string;
}

/** Tasks of a thread. */
export function ThreadTasks({ conversation, rootId }: ThreadTasksProps) {
  const { tasks, keep } = useTasks(conversation.id, rootId);
  const shown = tasks.data?.pages.flatMap((page) => page.execution_tasks) ?? [];
  if (shown.length === 0) return null;
  return (
    <div className={styles.tasks}>
      {shown.map((task) => (
        <TaskCard key={task.widget_id} task={task} onChange={keep} isStill={!conversation.is_member} />
      ))}
    </div>
  );
}

interface TasksProps {
  conversation: ConversationView;
  isOpen: boolean;
  onClose: () => void;
}

/** Current and finished tasks of the conversation. */
export function Tasks({ conversation, isOpen, onClose }: TasksProps) {
  const words = useWords(chatWords);
  return (
    <Dialog title={words.tasks} isOpen={isOpen} onClose={onClose} isWide>
      {isOpen && <TaskList conversation={conversation} onClose={onClose} />}
    </Dialog>
  );
}

function TaskList({ conversation, onClose }: { conversation: ConversationView; onClose: () => void }) {
  const words = useWords(chatWords);
  const { tasks, keep } = useTasks(conversation.id);
  return (
    <Paged query={tasks} rows={(page) => page.execution_tasks}>
      {(shown) =>
        shown.length === 0 ? (
          <Empty title={words.noTasks}>{words.noTasksText}</Empty>
        ) : (
          shown.map((task) => (
            <TaskCard key={task.widget_id} task={task} onChange={keep} isStill={!conversation.is_member}>
              <ButtonLink
                isSmall
                href={`/chat/${conversation.id}?thread=${task.thread_id}`}
                onPress={onClose}
              >
                {words.openThread}
              </ButtonLink>
            </TaskCard>
          ))
        )
      }
    </Paged>
  );
}
