import { approveAppRequestAsAdmin, denyAppRequestAsAdmin } from '@tieline/sdk/api';
import type { AppRequestView } from '@tieline/sdk/api';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { ChannelChoice } from '../../../ui/apps/channel-choice.js';
import { channelIdsOf, isIncomplete } from '../../../ui/apps/chosen-channels.js';
import type { ChosenChannels } from '../../../ui/apps/chosen-channels.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Failure } from '../../../ui/page/failure.js';
import { AppScopes, namedScopes } from '../../../ui/scopes/scopes.js';
import { installationsQuery } from './queries.js';
import { installedWords } from './words.js';

interface ReviewRequestProps {
  request: AppRequestView;
  person: string;
  onClose: () => void;
}

/** Shows what an app would get, and lets the admin approve or deny the request. */
export function ReviewRequest({ request, person, onClose }: ReviewRequestProps) {
  const words = useWords(installedWords);
  const client = useApi();
  const { data } = useInfiniteQuery(installationsQuery(client));
  const isInstalled = data?.pages.some(({ installations }) =>
    installations.some((one) => one.client_id === request.client_id),
  );
  const [chosen, setChosen] = useState<ChosenChannels>();
  const channels = chosen ?? { which: isInstalled ? 'kept' : 'all', ids: [] };
  const hasBot = request.bot_scopes.length > 0;
  const decision = useDecision(request, hasBot ? channelIdsOf(channels) : undefined, onClose);
  const { isPending, variables: approves } = decision;
  return (
    <Dialog title={words.reviewTitle(request.name)} isOpen onClose={onClose}>
      <p>{words.askedBy(person)}</p>
      <AppScopes isForOthers bot={namedScopes(request.bot_scopes)} user={namedScopes(request.user_scopes)} />
      {hasBot && <ChannelChoice chosen={channels} isInstalled={isInstalled === true} onChange={setChosen} />}
      {decision.error && <Failure failure={decision.error} />}
      <FormActions>
        <Button
          isPending={isPending && !approves}
          isDisabled={isPending && approves}
          onPress={() => decision.mutate(false)}
        >
          {words.deny}
        </Button>
        <Button
          kind="primary"
          isPending={isPending && approves}
          isDisabled={(hasBot && isIncomplete(channels)) || (isPending && !approves)}
          onPress={() => decision.mutate(true)}
        >
          {words.approve}
        </Button>
      </FormActions>
    </Dialog>
  );
}

function useDecision({ id, name }: AppRequestView, channelIds: string[] | undefined, onDecided: () => void) {
  const words = useWords(installedWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (approves: boolean) =>
      approves
        ? approveAppRequestAsAdmin({
            client,
            path: { id },
            body: channelIds === undefined ? {} : { channel_ids: channelIds },
          })
        : denyAppRequestAsAdmin({ client, path: { id } }),
    onSuccess: async (_, approves) => {
      await queries.invalidateQueries({ queryKey: ['apps'] });
      toast({ kind: 'good', text: approves ? words.wasApproved(name) : words.wasDenied });
      onDecided();
    },
    // Another admin may have decided it.
    onError: () => queries.invalidateQueries({ queryKey: ['apps', 'requests'] }),
  });
}
