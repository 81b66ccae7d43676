import { deleteBotAsAdmin, regenerateBotTokenAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Menu } from '../../ui/actions/menu.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { Checkbox } from '../../ui/forms/checkbox.js';
import { FormActions } from '../../ui/forms/form.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Removal } from '../../ui/overlays/removal.js';
import styles from './bots.module.css';
import { botsWords } from './words.js';

/** Actions to replace the token and to delete the bot. */
export function BotActions({ bot }: { bot: AdminBotView }) {
  const words = useWords(botsWords);
  const [asked, setAsked] = useState<'regenerate' | 'remove'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button onPress={() => setAsked('regenerate')}>{words.regenerate}</Button>
      <Menu
        actions={[{ id: 'remove', label: words.remove, isDanger: true, onAction: () => setAsked('remove') }]}
      />
      {asked === 'regenerate' && <Regenerate bot={bot} onClose={close} />}
      {asked === 'remove' && <Remove bot={bot} onClose={close} />}
    </>
  );
}

function Regenerate({ bot, onClose }: { bot: AdminBotView; onClose: () => void }) {
  const words = useWords(botsWords);
  const client = useApi();
  const queries = useQueryClient();
  const [reset, setReset] = useState(false);
  const regenerate = useMutation({
    mutationFn: () => regenerateBotTokenAsAdmin({ client, path: { id: bot.id }, body: { reset } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['bots'] }),
    gcTime: 0,
  });
  if (regenerate.data)
    return (
      <Dialog title={words.regenerated(bot.display_name)} isOpen isKept onClose={onClose}>
        <SecretOnce name={words.token} value={regenerate.data.token} />
        {regenerate.data.webhook_signing_secret && (
          <SecretOnce name={words.secret} value={regenerate.data.webhook_signing_secret} />
        )}
        <FormActions>
          <Button kind="primary" onPress={onClose}>
            {words.openBot}
          </Button>
        </FormActions>
      </Dialog>
    );
  return (
    <Confirm
      isOpen
      title={words.regenerateTitle(bot.display_name)}
      action={words.regenerateAction}
      onClose={onClose}
      onConfirm={() => regenerate.mutate()}
      isPending={regenerate.isPending}
      error={regenerate.error}
    >
      <div className={styles.part}>
        <p>{words.regenerateText}</p>
        <Checkbox isSelected={reset} onChange={setReset} hint={words.resetHint}>
          {words.reset}
        </Checkbox>
      </div>
    </Confirm>
  );
}

function Remove({ bot, onClose }: { bot: AdminBotView; onClose: () => void }) {
  const words = useWords(botsWords);
  const client = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <Removal
      title={words.removeTitle(bot.display_name)}
      action={words.remove}
      remove={() => deleteBotAsAdmin({ client, path: { id: bot.id } })}
      done={words.removed(bot.display_name)}
      onRemoved={async () => {
        await router.navigate({ to: '/bots' });
        queries.removeQueries({ queryKey: ['bots', 'one', bot.id] });
        await queries.invalidateQueries({ queryKey: ['bots', 'list'] });
      }}
      onClose={onClose}
    >
      {words.removeText}
    </Removal>
  );
}
