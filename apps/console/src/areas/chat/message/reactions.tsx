import { addReactionAsPerson, removeReactionAsPerson } from '@tieline/sdk/api';
import type { MessageView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RefObject } from 'react';
import { Button as AriaButton, Dialog, Input, Popover, TextField } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './message.module.css';

const OFTEN = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🚀', '🙏', '🔥', '👎', '😕', '💯'];

function useReact(message: MessageView) {
  const client = useApi();
  const toast = useToast();
  const names = useNames();
  return useMutation({
    mutationFn: (emoji: string) => {
      const path = { id: message.id, emoji };
      const isOwn = message.reactions.some(
        (one) => one.emoji === emoji && one.user_ids.includes(names.ownId),
      );
      return isOwn ? removeReactionAsPerson({ client, path }) : addReactionAsPerson({ client, path });
    },
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
}

interface ReactionsProps {
  message: MessageView;
  isStill: boolean;
}

/** Reactions of a message. A click adds or removes one's own. */
export function Reactions(props: ReactionsProps) {
  return props.message.reactions.length === 0 ? null : <SomeReactions {...props} />;
}

function SomeReactions({ message, isStill }: ReactionsProps) {
  const words = useWords(chatWords);
  const names = useNames();
  const react = useReact(message);
  return (
    <div className={styles.reactions}>
      {message.reactions.map(({ emoji, user_ids: users }) => (
        <AriaButton
          key={emoji}
          className={styles.reaction}
          data-own={users.includes(names.ownId) ? '' : undefined}
          aria-label={words.reactedWith(emoji, users.length, users.map(names.of).join(', '))}
          isDisabled={isStill}
          onPress={() => react.mutate(emoji)}
        >
          <span aria-hidden>{emoji}</span>
          <span>{users.length}</span>
        </AriaButton>
      ))}
    </div>
  );
}

interface EmojiPanelProps {
  message: MessageView;
  trigger: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Emoji picker: twelve common ones, any other by typing. */
export function EmojiPanel({ message, trigger, onClose }: EmojiPanelProps) {
  const words = useWords(chatWords);
  const react = useReact(message);
  const [typed, setTyped] = useState('');
  const choose = (emoji: string) => {
    react.mutate(emoji);
    onClose();
  };
  return (
    <Popover
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.emojis}
      placement="top end"
    >
      <Dialog aria-label={words.react} className={styles.emojiPanel}>
        <div className={styles.emojiGrid}>
          {OFTEN.map((emoji) => (
            <AriaButton
              key={emoji}
              className={styles.emoji}
              aria-label={words.reactWith(emoji)}
              onPress={() => choose(emoji)}
            >
              {emoji}
            </AriaButton>
          ))}
        </div>
        <TextField aria-label={words.otherEmoji} value={typed} onChange={setTyped}>
          <Input
            className={styles.otherEmoji}
            placeholder={words.otherEmoji}
            onKeyDown={(event) => event.key === 'Enter' && typed.trim() !== '' && choose(typed.trim())}
          />
        </TextField>
      </Dialog>
    </Popover>
  );
}
