import { deleteMessageAsPerson, pinMessageAsPerson, unpinMessageAsPerson } from '@tieline/sdk/api';
import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useApi } from '../../../app/api/api-context.js';
import { usePerson } from '../../../app/session/session.js';
import { useWords } from '../../../app/words/use-words.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Dots, Replies } from '../icons.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './message.module.css';
import { AddReaction } from './reactions.js';

interface ActionsProps {
  message: MessageView;
  conversation: ConversationView;
  name: string;
  isThread: boolean;
  onEdit: () => void;
}

/** What can be done with a message. They show when it is pointed at or focused. */
export function MessageActions({ message, conversation, name, isThread, onEdit }: ActionsProps) {
  const words = useWords(chatWords);
  const client = useApi();
  const person = usePerson();
  const names = useNames();
  const navigate = useNavigate();
  const toast = useToast();
  const queries = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const path = { id: message.id };
  const isOwn = message.author_id === names.ownId && message.author_type === 'user';
  const mayDelete = message.author_id === names.ownId || person.role === 'owner' || person.role === 'admin';
  const remove = useMutation({
    mutationFn: () => deleteMessageAsPerson({ client, path }),
    onSuccess: () => setDeleting(false),
  });
  const isPinned = message.pinned_at !== undefined;
  const pin = useMutation({
    mutationFn: () =>
      isPinned ? unpinMessageAsPerson({ client, path }) : pinMessageAsPerson({ client, path }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['chat', 'pins'] }),
    onError: (failure) => toast({ kind: 'bad', text: failure.message }),
  });
  const openThread = () =>
    void navigate({
      to: '/chat/$conversationId',
      params: { conversationId: conversation.id },
      search: { thread: message.id },
    });
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  const { is_member: isMember } = conversation;
  return (
    <div className={styles.actions}>
      {isMember && <AddReaction message={message} />}
      {!isThread && (
        <AriaButton className={styles.action} aria-label={words.reply} onPress={openThread}>
          <Replies size={15} />
        </AriaButton>
      )}
      <Menu
        className={styles.action}
        label={words.actionsOf(name)}
        trigger={
          <>
            <Dots size={15} />
            <span className={styles.hidden}>{words.actionsOf(name)}</span>
          </>
        }
        actions={[
          ...(isOwn && isMember ? [{ id: 'edit', label: words.edit, onAction: onEdit }] : []),
          ...(isMember && !isThread
            ? [{ id: 'pin', label: isPinned ? words.unpin : words.pin, onAction: () => pin.mutate() }]
            : []),
          { id: 'copy', label: words.copyText, onAction: () => copy(message.text) },
          { id: 'id', label: words.copyId, onAction: () => copy(message.id) },
          ...(mayDelete
            ? [{ id: 'delete', label: words.delete, onAction: () => setDeleting(true), isDanger: true }]
            : []),
        ]}
      />
      <Confirm
        title={words.deleteTitle}
        action={words.deleteAction}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        {words.deleteText}
      </Confirm>
    </div>
  );
}
