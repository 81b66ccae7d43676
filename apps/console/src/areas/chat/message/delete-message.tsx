import { deleteMessageAsPerson } from '@tieline/sdk/api';
import type { MessageView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { chatWords } from '../words.js';

/** Asks for confirmation before a message is deleted. */
export function DeleteMessage({ message, onClose }: { message: MessageView; onClose: () => void }) {
  const words = useWords(chatWords);
  const client = useApi();
  const remove = useMutation({
    mutationFn: () => deleteMessageAsPerson({ client, path: { id: message.id } }),
    onSuccess: onClose,
  });
  return (
    <Confirm
      title={words.deleteTitle}
      action={words.deleteAction}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {words.deleteText}
    </Confirm>
  );
}
