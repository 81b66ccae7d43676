import { deleteInteractiveConfigAsAdmin, rotateInteractiveSecretAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { RotateSecret } from '../../../ui/overlays/rotate-secret.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { clicksWords } from './words.js';

interface Props {
  bot: AdminBotView;
  onClose: () => void;
}

/** Gives the bot another secret for clicks. */
export function RotateClickSecret({ bot, onClose }: Props) {
  const words = useWords(clicksWords);
  const client = useApi();
  return (
    <RotateSecret
      title={words.rotateTitle(bot.display_name)}
      rotate={(seconds) =>
        rotateInteractiveSecretAsAdmin({
          client,
          path: { id: bot.id },
          body: { overlap_seconds: seconds },
        })
      }
      queryKey={['bots', 'interactive', bot.id]}
      onClose={onClose}
    >
      {words.rotateText}
    </RotateSecret>
  );
}

/** Switches callbacks of clicks off. */
export function RemoveAddress({ bot, onClose }: Props) {
  const words = useWords(clicksWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => deleteInteractiveConfigAsAdmin({ client, path: { id: bot.id } }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.removed });
      onClose();
      await queries.invalidateQueries({ queryKey: ['bots', 'interactive', bot.id] });
    },
  });
  return (
    <Confirm
      isOpen
      title={words.removeTitle(bot.display_name)}
      action={words.remove}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {words.removeText}
    </Confirm>
  );
}
