import type { ConversationView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import { appBlocksOf } from '../blocks/metadata.js';
import { RichBody } from '../blocks/rich-body.js';
import type { Outgoing, Room, Whisper } from '../log/room.js';
import { Markdown } from '../markdown/markdown.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './message.module.css';

interface WhisperRowProps {
  whisper: Whisper;
  room: Room;
  conversation: ConversationView;
}

/** An ephemeral message, set apart from messages everyone sees. */
export function WhisperRow({ whisper, room }: WhisperRowProps) {
  const words = useWords(chatWords);
  const names = useNames();
  const { botId, messageId, text, metadata } = whisper;
  const appBlocks = appBlocksOf({ app_blocks: whisper.appBlocks });
  return (
    <article className={styles.whisper} aria-label={words.onlyYou} role="status">
      <div className={styles.head}>
        {botId !== undefined && <strong>{names.of(botId)}</strong>}
        <span className={styles.onlyYou}>{words.onlyYou}</span>
        <Button isSmall kind="quiet" onPress={() => room.dismiss(whisper.key)}>
          {words.dismiss}
        </Button>
      </div>
      {(metadata !== undefined || appBlocks) && messageId !== undefined ? (
        <RichBody
          text={text}
          metadata={metadata ?? ''}
          appBlocks={appBlocks}
          messageId={messageId}
          room={room}
        />
      ) : (
        <Markdown text={text} />
      )}
    </article>
  );
}

/** A message that is being sent, or that failed and can be sent again. */
export function OutgoingRow({ outgoing, room }: { outgoing: Outgoing; room: Room }) {
  const words = useWords(chatWords);
  const general = useWords(uiWords);
  const { key, text, files, failure } = outgoing;
  return (
    <div className={styles.outgoing} data-failed={failure == null ? undefined : ''}>
      <Markdown text={text} />
      {files.length > 0 && <p className={styles.sending}>{files.map(({ name }) => name).join(', ')}</p>}
      {failure == null ? (
        <span className={styles.sending}>{words.sending}</span>
      ) : (
        <div className={styles.buttons} role="alert">
          <span className={styles.failed}>
            {words.notSent}: {failureText(failure, general)}
          </span>
          <Button isSmall onPress={() => void room.send({ text, files }, key)}>
            {words.again}
          </Button>
          <Button isSmall kind="quiet" onPress={() => room.dismiss(key)}>
            {words.dismiss}
          </Button>
        </div>
      )}
    </div>
  );
}
