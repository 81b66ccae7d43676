import { useMemo } from 'react';
import type { Room } from '../log/room.js';
import { LateMessageBlocks } from '../app-blocks/late-message-blocks.js';
import { Markdown } from '../markdown/markdown.js';
import { Attachment } from './attachment.js';
import { Blocks } from './blocks.js';
import styles from './blocks.module.css';
import { withinBudget } from './budget.js';
import { readMetadata } from './metadata.js';
import type { Fields } from './metadata.js';
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
  /** Blocks of a Slack app, drawn instead of the text and other blocks. */
  appBlocks?: readonly Fields[] | undefined;
  messageId: string;
  /** Receives answers to clicks. Without it, elements cannot be clicked. */
  room: Room | undefined;
}

/** Blocks and attachments of a message, with the status of an agent run above. */
export function RichBody(props: RichBodyProps) {
  const { text, isTextDerived, isFromWebhook, metadata, appBlocks, messageId, room } = props;
  const hasAppBlocks = appBlocks !== undefined;
  const { shownText, blocks, attachments, buttons, run, rest } = useMemo(() => {
    const stored = readMetadata(metadata);
    const read = isFromWebhook ? fromSender(stored) : stored;
    const content = hasAppBlocks ? { ...read, blocks: [] } : read;
    const hasParts = content.blocks.length + (isTextDerived ? content.attachments.length : 0) > 0;
    const shown = hasAppBlocks || hasParts || text === content.run?.statusText ? '' : text;
    return { shownText: shown, ...withinBudget(shown, content) };
  }, [text, isTextDerived, isFromWebhook, metadata, hasAppBlocks]);
  return (
    <div className={styles.rich}>
      {run && <RunStatus run={run} mayStop={room !== undefined} />}
      {shownText !== '' && <Markdown text={shownText} />}
      {appBlocks && <LateMessageBlocks blocks={appBlocks} text={text} messageId={messageId} room={room} />}
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
