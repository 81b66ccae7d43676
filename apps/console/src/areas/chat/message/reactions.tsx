import { addReactionAsPerson, removeReactionAsPerson } from '@tieline/sdk/api';
import type { MessageView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  Input,
  Popover,
  TextField,
} from 'react-aria-components';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Smile } from '../icons.js';
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
    onError: (failure) => toast({ kind: 'bad', text: failure.message }),
  });
}

/** Who reacted how; pressing one adds one's own or takes it back. */
export function Reactions({ message, isStill }: { message: MessageView; isStill: boolean }) {
  const words = useWords(chatWords);
  const names = useNames();
  const react = useReact(message);
  if (message.reactions.length === 0) return null;
  return (
    <div className={styles.reactions}>
      {message.reactions.map(({ emoji, user_ids: users }) => (
        <AriaButton
          key={emoji}
          className={styles.reaction}
          data-own={users.includes(names.ownId) ? '' : undefined}
          aria-label={words.reactedWith(emoji, users.map(names.of).join(', '))}
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

/** Chooses an emoji: a dozen at hand, any other typed. */
export function AddReaction({ message }: { message: MessageView }) {
  const words = useWords(chatWords);
  const react = useReact(message);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const choose = (emoji: string) => {
    react.mutate(emoji);
    setOpen(false);
    setTyped('');
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className={styles.action} aria-label={words.react}>
        <Smile size={15} />
      </AriaButton>
      <Popover className={styles.emojis} placement="top end">
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
    </DialogTrigger>
  );
}
