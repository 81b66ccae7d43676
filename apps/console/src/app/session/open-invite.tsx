import { useEffect } from 'react';
import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { useInvited, useSignIn } from './session.js';
import { SignInFrame } from './sign-in-frame.js';
import styles from './sign-in.module.css';
import { sessionWords } from './words.js';

interface OpenInviteProps {
  invite: string;
  /** `bad`: the invite is no longer valid. */
  onDone: (how: 'signed in' | 'declined' | 'bad') => void;
}

const isRefused = (failure: unknown) => failure instanceof ApiFailure && failure.status === 401;

/**
 * Shows who a link signs in, and where, and asks for confirmation. A link could be the sender's
 * own, to make others work under the sender's name. Only the button uses up the invite.
 */
export function OpenInvite({ invite, onDone }: OpenInviteProps) {
  const words = useWords(sessionWords);
  const { data: invited, error, refetch } = useInvited(invite);
  const signIn = useSignIn();
  const isBad = isRefused(error) || isRefused(signIn.error);
  useEffect(() => {
    if (isBad) onDone('bad');
  }, [isBad, onDone]);
  if (error && !isBad) return <Failure failure={error} onRetry={refetch} isPage />;
  if (!invited || isBad) return <Loading isPage label={words.openingInvite} />;
  const { display_name: name, space_name: space } = invited;
  return (
    <SignInFrame>
      <div className={styles.heading}>
        <h1>{words.inviteTitle(space)}</h1>
        <p>{words.inviteText(name, space)}</p>
      </div>
      {signIn.error && <Failure failure={signIn.error} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          isWide
          autoFocus
          isPending={signIn.isPending}
          onPress={() => signIn.mutate({ invite }, { onSuccess: () => onDone('signed in') })}
        >
          {words.signInAs(name)}
        </Button>
        <Button isWide isDisabled={signIn.isPending} onPress={() => onDone('declined')}>
          {words.declineInvite}
        </Button>
      </div>
    </SignInFrame>
  );
}
