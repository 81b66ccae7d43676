import { listMembersAsPerson, removeMemberAsPerson } from '@tieline/sdk/api';
import type { ConversationView, MemberView } from '@tieline/sdk/api';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { isAdmin } from '../../../app/session/is-admin.js';
import { usePerson } from '../../../app/session/session.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Paged } from '../../../ui/data/more.js';
import { People, Robot } from '../../../ui/icons.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { AddMember } from './add-member.js';
import styles from './members.module.css';
import { conversationWords } from './words.js';

interface MembersProps {
  conversation: ConversationView;
  isOpen: boolean;
  onClose: () => void;
}

/** Members of the conversation, with actions to add and remove them. */
export function Members({ conversation, isOpen, onClose }: MembersProps) {
  const words = useWords(conversationWords);
  return (
    <Dialog title={words.membersTitle} isOpen={isOpen} onClose={onClose}>
      {isOpen && <MemberList conversation={conversation} />}
    </Dialog>
  );
}

const keyOf = ({ id }: ConversationView) => ['chat', 'members', id];

function MemberList({ conversation }: { conversation: ConversationView }) {
  const words = useWords(conversationWords);
  const client = useApi();
  const queries = useQueryClient();
  const person = usePerson();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<MemberView | undefined>();
  const members = useInfiniteQuery({
    queryKey: keyOf(conversation),
    queryFn: ({ pageParam: cursor }) =>
      listMembersAsPerson({ client, path: { id: conversation.id }, query: { limit: 50, cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    staleTime: 0,
  });
  const again = () => queries.invalidateQueries({ queryKey: keyOf(conversation) });
  const mayAdd =
    conversation.is_member &&
    !conversation.is_direct &&
    conversation.archived_at === null &&
    person.role !== 'guest';
  const mayRemove = mayRemoveFrom(conversation, person);
  return (
    <>
      <Paged query={members} rows={(page) => page.members}>
        {(shown) => (
          <ul className={styles.members}>
            {shown.map((member) => (
              <li key={member.id}>
                {member.type === 'bot' ? <Robot size={16} /> : <People size={16} />}
                <span className={styles.name}>{member.display_name}</span>
                {member.type === 'bot' && <span className={styles.hint}>{words.bot}</span>}
                {member.id === person.id && <span className={styles.hint}>{words.you}</span>}
                {mayRemove(member) && (
                  <Button isSmall kind="quiet" onPress={() => setLeaving(member)}>
                    {words.remove}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Paged>
      {mayAdd && (
        <div>
          <Button onPress={() => setAdding(true)}>{words.addTitle}</Button>
        </div>
      )}
      <AddMember
        conversationId={conversation.id}
        isOpen={isAdding}
        onClose={() => {
          setAdding(false);
          void again();
        }}
      />
      {leaving && (
        <RemoveMember
          conversation={conversation}
          member={leaving}
          onClose={() => {
            setLeaving(undefined);
            void again();
          }}
        />
      )}
    </>
  );
}

/**
 * Every member except guests can remove bots. Owners, admins and the channel's creator can remove
 * people. Users remove themselves by leaving.
 */
function mayRemoveFrom(
  { is_member: isMember, is_direct: isDirect, created_by: maker }: ConversationView,
  { id: ownId, role }: { id: string; role: string },
): (member: MemberView) => boolean {
  const isHead = isAdmin(role) || maker === ownId;
  return ({ id, type }) =>
    !isDirect &&
    id !== ownId &&
    ((type === 'bot' && isMember && role !== 'guest') || (isHead && type === 'user'));
}

interface RemoveMemberProps {
  conversation: ConversationView;
  member: MemberView;
  onClose: () => void;
}

function RemoveMember({ conversation, member, onClose }: RemoveMemberProps) {
  const words = useWords(conversationWords);
  const client = useApi();
  const remove = useMutation({
    mutationFn: () => removeMemberAsPerson({ client, path: { id: conversation.id, member_id: member.id } }),
    onSuccess: onClose,
  });
  return (
    <Confirm
      title={words.removeTitle(member.display_name, conversation.name)}
      action={words.removeAction(member.display_name)}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {member.type === 'bot' ? words.removeBotText : words.removeText}
    </Confirm>
  );
}
