import { addMemberAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { PersonChoice } from './person-choice.js';
import { conversationWords } from './words.js';

interface AddMemberProps {
  conversationId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Dialog to add a person or bot to the conversation. */
export function AddMember({ conversationId, isOpen, onClose }: AddMemberProps) {
  const words = useWords(conversationWords);
  const client = useApi();
  const toast = useToast();
  const [memberId, setMemberId] = useState('');
  const add = useMutation({
    mutationFn: () =>
      addMemberAsPerson({ client, path: { id: conversationId }, body: { member_id: memberId } }),
    onSuccess: () => {
      toast({ kind: 'good', text: words.added });
      setMemberId('');
      onClose();
    },
  });
  return (
    <Dialog title={words.addTitle} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={() => add.mutate()} error={add.error}>
        <PersonChoice
          label={words.addWhom}
          name="member_id"
          value={memberId}
          onChange={setMemberId}
          isRequired
        />
        <FormActions>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isPending={add.isPending}>
            {words.add}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
