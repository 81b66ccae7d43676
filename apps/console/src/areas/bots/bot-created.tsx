import { useRouter } from '@tanstack/react-router';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { CodeTabs } from '../../ui/data/code.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { FormActions } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Failure } from '../../ui/page/failure.js';
import { Note } from '../../ui/page/note.js';
import styles from './bots.module.css';
import type { MadeBot } from './made-bot.js';
import { snippetsFor } from './snippets.js';
import { botsWords } from './words.js';

/** Shows the secrets of a new bot once, with example programs. */
export function BotCreated({ made, channelId, channelFailure }: MadeBot) {
  const words = useWords(botsWords);
  const router = useRouter();
  const { bot, token, webhook_signing_secret: secret } = made;
  const open = () => void router.navigate({ to: '/bots/$id', params: { id: bot.id } });
  return (
    <Dialog title={words.createdTitle(bot.display_name)} isOpen isKept isWide onClose={open}>
      {channelFailure != null && (
        <>
          <Note kind="warning">{words.channelFailed}</Note>
          <Failure failure={channelFailure} />
        </>
      )}
      <SecretOnce name={words.token} value={token} />
      {bot.event_delivery_mode === 'webhook' && <SecretOnce name={words.secret} value={secret} />}
      <div className={styles.program}>
        <h3>{words.firstProgram}</h3>
        <CodeTabs label={words.firstProgram} samples={snippetsFor(window.location.origin, channelId)} />
      </div>
      <FormActions>
        <Button kind="primary" onPress={open}>
          {words.openBot}
        </Button>
      </FormActions>
    </Dialog>
  );
}
