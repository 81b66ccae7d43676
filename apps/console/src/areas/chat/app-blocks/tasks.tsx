import { useWords } from '../../../language/use-words.js';
import { Badge } from '../../../ui/data/badge.js';
import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import styles from './app-blocks.module.css';
import { Address, RichText } from './rich-text.js';
import { appWords } from './words.js';

/** A step of an app's work, with its state. */
export function TaskCard({ task }: { task: Fields }) {
  const words = useWords(appWords);
  const states = {
    pending: <Badge kind="plain">{words.pending}</Badge>,
    in_progress: <Badge kind="info">{words.working}</Badge>,
    complete: <Badge kind="good">{words.complete}</Badge>,
    error: <Badge kind="bad">{words.failed}</Badge>,
  };
  const sources = objects(task.sources);
  return (
    <div className={styles.task}>
      <div className={styles.taskHead}>
        <span>{text(task.title)}</span>
        {states[text(task.status) as keyof typeof states] ?? states.pending}
      </div>
      {task.details != null && <RichText block={asFields(task.details)} />}
      {task.output != null && <RichText block={asFields(task.output)} />}
      {sources.length > 0 && (
        <ul className={styles.sources} aria-label={words.sources}>
          {sources.map((source, index) => (
            <li key={index}>
              <Address address={text(source.url)} label={text(source.text) || text(source.url)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A plan: a title and its tasks. */
export function Plan({ block }: { block: Fields }) {
  return (
    <div className={styles.card}>
      <strong>{text(block.title)}</strong>
      {objects(block.tasks).map((task, index) => (
        <TaskCard key={text(task.task_id) || index} task={task} />
      ))}
    </div>
  );
}
