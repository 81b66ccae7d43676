import type { MessageView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { MessageApproval } from '../approvals/message-approval.js';
import { appBlocksOf, readMetadata } from '../blocks/metadata.js';
import { RichBody } from '../blocks/rich-body.js';
import type { Room } from '../log/room.js';
import { Markdown } from '../markdown/markdown.js';
import { chatWords } from '../words.js';
import { Files } from './files.js';
import { isEdited } from './is-edited.js';
import styles from './message.module.css';

interface MessageBodyProps {
  message: MessageView;
  /** Receives answers to clicks. Without it, elements cannot be clicked. */
  room?: Room;
  isStill?: boolean;
  /** Whether to show “edited” below the message. A message with a header shows it there. */
  isEditShown?: boolean;
}

/** Content of a message: its blocks, else its text, and its files. */
export function MessageBody({ message, room, isStill = false, isEditShown = true }: MessageBodyProps) {
  const words = useWords(chatWords);
  const approvalId = readMetadata(message.metadata_json ?? '').approvalId;
  const appBlocks = appBlocksOf(message);
  return (
    <div className={styles.body}>
      {approvalId !== undefined ? (
        <MessageApproval id={approvalId} />
      ) : message.metadata_json || appBlocks ? (
        <RichBody
          text={message.text}
          isTextDerived={message.text_derived === true}
          isFromWebhook={message.author_type === 'webhook'}
          metadata={message.metadata_json ?? ''}
          appBlocks={appBlocks}
          messageId={message.id}
          room={isStill ? undefined : room}
        />
      ) : (
        <Markdown text={message.text} />
      )}
      {isEditShown && isEdited(message) && <span className={styles.edited}>{words.edited}</span>}
      <Files of={message} />
    </div>
  );
}
