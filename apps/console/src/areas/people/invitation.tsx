import { createInviteAsAdmin, getInviteAsAdmin, revokeInviteAsAdmin } from '@tieline/sdk/api';
import type { UserView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { Time } from '../../ui/data/time.js';
import { FormActions } from '../../ui/forms/form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Failure } from '../../ui/page/failure.js';
import { Note } from '../../ui/page/note.js';
import { peopleWords } from './words.js';

/** Shows whether an invitation is open. Creates or revokes one. */
export function Invitation({ person: { id } }: { person: UserView }) {
  const words = useWords(peopleWords);
  const { open, make, revoke } = useInvitation(id);
  return (
    <>
      {make.data ? (
        <>
          <p>{words.inviteText}</p>
          <SecretOnce name={words.inviteUrl} value={make.data.url} />
        </>
      ) : (
        open && (
          <Note kind="info">
            <span>
              {words.inviteOpen} <Time at={open.expires_at} />
              <br />
              {words.inviteAgain}
            </span>
          </Note>
        )
      )}
      {make.error && <Failure failure={make.error} />}
      <FormActions>
        {open && !make.data && (
          <Button onPress={() => revoke.mutate()} isPending={revoke.isPending}>
            {words.revoke}
          </Button>
        )}
        {!make.data && (
          <Button onPress={() => make.mutate()} isPending={make.isPending}>
            {words.invite}
          </Button>
        )}
      </FormActions>
    </>
  );
}

function useInvitation(id: string) {
  const words = useWords(peopleWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const queryKey = ['people', 'invite', id];
  const { data: open } = useQuery({
    queryKey,
    // A 404 means that there is no open invitation.
    queryFn: () =>
      getInviteAsAdmin({ client, path: { id } }).catch((failure: unknown) => {
        if (failure instanceof ApiFailure && failure.status === 404) return null;
        throw failure;
      }),
  });
  const make = useMutation({
    mutationFn: () => createInviteAsAdmin({ client, path: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: () => revokeInviteAsAdmin({ client, path: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      toast({ kind: 'good', text: words.revoked });
    },
  });
  return { open, make, revoke };
}
