import { approveInteractionAsPerson, denyInteractionAsPerson } from '@tieline/sdk/api';
import type { InteractionView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { isAdmin } from '../../app/session/is-admin.js';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { ChannelChoice } from '../../ui/apps/channel-choice.js';
import { channelIdsOf, isIncomplete } from '../../ui/apps/chosen-channels.js';
import type { ChosenChannels } from '../../ui/apps/chosen-channels.js';
import { Failure } from '../../ui/page/failure.js';
import { Note } from '../../ui/page/note.js';
import { AppScopes } from '../../ui/scopes/scopes.js';
import { AskingApp } from './asking-app.js';
import styles from './consent.module.css';
import { consentWords } from './words.js';

/** What the app asks for, and the buttons that answer. Only a press of a button answers. */
export function ConsentForm({ interaction }: { interaction: InteractionView }) {
  const words = useWords(consentWords);
  const client = useApi();
  const { role } = usePerson();
  const { uid, app, bot_scopes: botScopes, user_scopes: userScopes, outcome } = interaction;
  const [channels, setChannels] = useState<ChosenChannels>({
    which: interaction.is_installed ? 'kept' : 'all',
    ids: [],
  });
  const choosesChannels = isAdmin(role) && outcome === 'install' && botScopes.length > 0;
  const channelIds = choosesChannels ? channelIdsOf(channels) : undefined;
  const answer = useMutation({
    mutationFn: (agrees: boolean) =>
      agrees
        ? approveInteractionAsPerson({
            client,
            path: { uid },
            body: channelIds === undefined ? {} : { channel_ids: channelIds },
          })
        : denyInteractionAsPerson({ client, path: { uid } }),
    onSuccess: ({ state, redirect_to: next }) => {
      if (state !== 'requested') continueAt(next);
    },
    gcTime: 0,
  });

  const { data: sent, isPending, variables: agrees } = answer;
  if (sent?.state === 'requested')
    return <Requested name={app.name} onContinue={() => continueAt(sent.redirect_to)} />;
  if (sent) return <Note kind="info">{words.goingBack(app.redirect_host)}</Note>;
  const asksNothing = botScopes.length === 0 && userScopes.length === 0;
  const mayAgree = outcome !== 'refuse' && !asksNothing;
  return (
    <>
      <AskingApp app={app} isInstalled={interaction.is_installed} />
      <AppScopes bot={botScopes} user={userScopes} />
      {choosesChannels && (
        <ChannelChoice chosen={channels} isInstalled={interaction.is_installed} onChange={setChannels} />
      )}
      {asksNothing && <Note kind="warning">{words.nothing}</Note>}
      {mayAgree && outcome === 'request' && <Note kind="info">{words.needsAdmin}</Note>}
      {outcome === 'refuse' && <Note kind="warning">{words.notForGuests}</Note>}
      {answer.error && <Failure failure={answer.error} />}
      <div className={styles.buttons}>
        {mayAgree && (
          <Button
            kind="primary"
            isPending={isPending && agrees}
            isDisabled={(choosesChannels && isIncomplete(channels)) || (isPending && !agrees)}
            onPress={() => answer.mutate(true)}
          >
            {outcome === 'request' ? words.request : words.allow}
          </Button>
        )}
        <Button
          isPending={isPending && !agrees}
          isDisabled={isPending && agrees}
          onPress={() => answer.mutate(false)}
        >
          {words.deny}
        </Button>
      </div>
    </>
  );
}

/** Shown after a request to the admins, before the person goes back to the app. */
function Requested({ name, onContinue }: { name: string; onContinue: () => void }) {
  const words = useWords(consentWords);
  return (
    <>
      <div className={styles.heading}>
        <h1>{words.waiting}</h1>
      </div>
      <div role="status">
        <Note kind="info">{words.waitingText(name)}</Note>
      </div>
      <Button kind="primary" onPress={onContinue} autoFocus>
        {words.backTo(name)}
      </Button>
    </>
  );
}

/** Leaves the console. The API's response names the address. */
const continueAt = (address: string): void => window.location.assign(address);
