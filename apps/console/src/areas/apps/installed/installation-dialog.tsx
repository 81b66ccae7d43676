import { deleteInstallationAsAdmin } from '@tieline/sdk/api';
import type { InstallationView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePeople } from '../../../api/directory.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Time } from '../../../ui/data/time.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Removal } from '../../../ui/overlays/removal.js';
import { Fact, Facts } from '../../../ui/page/page.js';
import { AppScopes, namedScopes } from '../../../ui/scopes/scopes.js';
import { Channels } from './channels.js';
import styles from './installed.module.css';
import { installedWords } from './words.js';

interface InstallationDialogProps {
  installation: InstallationView;
  onClose: () => void;
}

/** What an installed app may do, and the button that uninstalls it. */
export function InstallationDialog({ installation, onClose }: InstallationDialogProps) {
  const words = useWords(installedWords);
  const people = usePeople();
  const [isUninstalling, setUninstalling] = useState(false);
  if (isUninstalling) return <Uninstall installation={installation} onClose={onClose} />;
  const { name, bot_id: botId, bot_scopes: bot, user_scopes: user } = installation;
  const installer = people.data?.find(({ id }) => id === installation.installed_by);
  return (
    <Dialog title={name} isOpen onClose={onClose}>
      {bot.length + user.length === 0 && <p>{words.noPermissions}</p>}
      <AppScopes isForOthers bot={namedScopes(bot)} user={namedScopes(user)} />
      <Facts>
        {botId !== null && (
          <Fact name={words.channels}>
            <Channels installation={installation} />
          </Fact>
        )}
        <Fact name={words.installed}>
          <Time at={installation.created_at} />
        </Fact>
        {installer && <Fact name={words.installedBy}>{installer.display_name}</Fact>}
      </Facts>
      <FormActions>
        {botId !== null && <ButtonLink href={`/bots/${botId}`}>{words.openBot}</ButtonLink>}
        <Button kind="danger" onPress={() => setUninstalling(true)}>
          {words.uninstall}
        </Button>
      </FormActions>
    </Dialog>
  );
}

function Uninstall({ installation: { id, name, bot_id: botId }, onClose }: InstallationDialogProps) {
  const words = useWords(installedWords);
  const client = useApi();
  const queries = useQueryClient();
  return (
    <Removal
      title={words.uninstallTitle(name)}
      action={words.uninstallAction}
      remove={() => deleteInstallationAsAdmin({ client, path: { id } })}
      done={words.uninstalled(name)}
      onRemoved={async () => {
        await queries.invalidateQueries({ queryKey: ['apps'] });
        if (botId !== null) await queries.invalidateQueries({ queryKey: ['bots'] });
        onClose();
      }}
      onClose={onClose}
    >
      <div className={styles.ends}>
        <p>{words.ends}</p>
        <ul>
          {botId !== null && <li>{words.endsBot}</li>}
          {botId !== null && <li>{words.endsCommands}</li>}
          <li>{words.endsPeople}</li>
        </ul>
        <p>{words.stays}</p>
      </div>
    </Removal>
  );
}
