import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { memo, useState } from 'react';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { formatClock, formatInstant } from '../../../ui/data/formats.js';
import { Robot } from '../../../ui/icons.js';
import { useLoadsAutomatically } from '../../../ui/media/picture.js';
import type { Room } from '../log/room.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import { EditForm } from './edit-form.js';
import { isEdited } from './is-edited.js';
import { MessageActions } from './message-actions.js';
import { MessageBody } from './message-body.js';
import styles from './message.module.css';
import { Reactions } from './reactions.js';
import { RepliesLink } from './replies-link.js';

interface MessageRowProps {
  message: MessageView;
  room: Room;
  conversation: ConversationView;
  /** Continues the previous message of the same author, so the name is not repeated. */
  isGoingOn: boolean;
  isThread: boolean;
}

/** A message with its actions. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, room, conversation, isGoingOn, isThread } = props;
  const words = useWords(chatWords);
  const names = useNames();
  const [isEditing, setEditing] = useState(false);
  const name = names.author(message);
  const isGone = message.deleted_at !== undefined;
  return (
    <article className={styles.message} data-going-on={isGoingOn ? '' : undefined} aria-label={name}>
      <div className={styles.side}>
        {isGoingOn ? <Clock at={message.sent_at} /> : <Avatar message={message} name={name} />}
      </div>
      <div className={styles.main}>
        {!isGoingOn && (
          <div className={styles.head}>
            <strong>{name}</strong>
            {message.author_type === 'bot' && <span className={styles.kind}>{words.bot}</span>}
            {message.author_type === 'webhook' && <span className={styles.kind}>{words.app}</span>}
            <Clock at={message.sent_at} />
            {isEdited(message) && <span className={styles.edited}>{words.edited}</span>}
            {message.pinned_at !== undefined && <span className={styles.kind}>{words.pinnedHere}</span>}
          </div>
        )}
        {isGone ? (
          <p className={styles.gone}>{words.deleted}</p>
        ) : isEditing ? (
          <EditForm message={message} onClose={() => setEditing(false)} />
        ) : (
          <MessageBody
            message={message}
            room={room}
            isStill={!conversation.is_member}
            isEditShown={isGoingOn}
          />
        )}
        {!isGone && <Reactions message={message} isStill={!conversation.is_member} />}
        {!isThread && <RepliesLink message={message} conversation={conversation} />}
      </div>
      {!isGone && !isEditing && (
        <MessageActions
          message={message}
          conversation={conversation}
          name={name}
          isThread={isThread}
          onEdit={() => setEditing(true)}
        />
      )}
    </article>
  );
});

function Clock({ at }: { at: string }) {
  const { language } = usePreferences();
  return (
    <time className={styles.clock} dateTime={at} title={formatInstant(language, at)}>
      {formatClock(language, at)}
    </time>
  );
}

/** The sender's image or initials. */
function Avatar({ message, name }: { message: MessageView; name: string }) {
  const { display_avatar_url: address, author_type: type } = message;
  const isLoaded = useLoadsAutomatically(address ?? '');
  if (isLoaded && address?.startsWith('https://'))
    return <img className={styles.avatar} src={address} alt="" referrerPolicy="no-referrer" />;
  return (
    <span className={styles.avatar} data-type={type} aria-hidden>
      {type === 'bot' ? <Robot size={18} /> : initials(name)}
    </span>
  );
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
