import { useMemo } from 'react';
import type { Room } from '../log/room.js';
import { Markdown } from '../markdown/markdown.js';
import { Attachment } from './attachment.js';
import { Blocks } from './blocks.js';
import styles from './blocks.module.css';
import { withinBudget } from './budget.js';
import { readMetadata } from './metadata.js';
import { RunStatus } from './run-status.js';
import { fromSender } from './sender-content.js';

interface RichBodyProps {
  /** Shown if there are no blocks. */
  text: string;
  /** Whether the text only repeats the blocks and attachments. */
  isTextDerived?: boolean;
  /**
   * Whether an incoming webhook wrote it, so that blocks and attachments use the sender's markup.
   */
  isFromWebhook?: boolean;
  metadata: string;
  messageId: string;
  /** Receives answers to clicks. Without it, elements cannot be clicked. */
  room: Room | undefined;
}

/** Blocks and attachments of a message, with the status of an agent run above. */
export function RichBody({ text, isTextDerived, isFromWebhook, metadata, messageId, room }: RichBodyProps) {
  const { shownText, blocks, attachments, buttons, run, rest } = useMemo(() => {
    const stored = readMetadata(metadata);
    const content = isFromWebhook ? fromSender(stored) : stored;
    const hasParts = content.blocks.length + (isTextDerived ? content.attachments.length : 0) > 0;
    const shown = hasParts || text === content.run?.statusText ? '' : text;
    return { shownText: shown, ...withinBudget(shown, content) };
  }, [text, isTextDerived, isFromWebhook, metadata]);
  return (
    <div className={styles.rich}>
      {run && <RunStatus run={run} mayStop={room !== undefined} />}
      {shownText !== '' && <Markdown text={shownText} />}
      <Blocks blocks={blocks} messageId={messageId} room={room} />
      {attachments.map((attachment, index) => (
        <Attachment key={index} attachment={attachment} messageId={messageId} />
      ))}
      {buttons.length > 0 && (
        <div className={styles.actions}>
          {buttons.map(({ text: label, url }, index) => (
            <a key={index} className={styles.linkButton} href={url} target="_blank" rel="noreferrer noopener">
              {label}
            </a>
          ))}
        </div>
      )}
      {rest !== '' && <p className={styles.plain}>{rest}</p>}
    </div>
  );
}
