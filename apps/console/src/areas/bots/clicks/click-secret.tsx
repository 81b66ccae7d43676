import { deleteInteractiveConfigAsAdmin, rotateInteractiveSecretAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Removal } from '../../../ui/overlays/removal.js';
import { RotateSecret } from '../../../ui/overlays/rotate-secret.js';
import { clicksWords } from './words.js';

interface Props {
  bot: AdminBotView;
  onClose: () => void;
}

/** Rotates the secret for clicks. */
export function RotateClickSecret({ bot, onClose }: Props) {
  const words = useWords(clicksWords);
  const client = useApi();
  return (
    <RotateSecret
      title={words.rotateTitle(bot.display_name)}
      rotate={async (seconds) => {
        const { signing_secret: secret } = await rotateInteractiveSecretAsAdmin({
          client,
          path: { id: bot.id },
          body: { overlap_seconds: seconds },
        });
        return secret;
      }}
      queryKey={['bots', 'interactive', bot.id]}
      onClose={onClose}
    >
      {words.rotateText}
    </RotateSecret>
  );
}

/** Disables callbacks for clicks. */
export function RemoveAddress({ bot, onClose }: Props) {
  const words = useWords(clicksWords);
  const client = useApi();
  const queries = useQueryClient();
  return (
    <Removal
      title={words.removeTitle(bot.display_name)}
      action={words.remove}
      remove={() => deleteInteractiveConfigAsAdmin({ client, path: { id: bot.id } })}
      done={words.removed}
      onRemoved={() => {
        onClose();
        return queries.invalidateQueries({ queryKey: ['bots', 'interactive', bot.id] });
      }}
      onClose={onClose}
    >
      {words.removeText}
    </Removal>
  );
}
