import { useQuery } from '@tanstack/react-query';
import { use, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useApiSession } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { InviteContext } from './invite-context.js';
import { OpenInvite } from './open-invite.js';
import { OperatorSignIn } from './operator-sign-in.js';
import { operatorQuery, personQuery, useSignIn } from './session.js';
import { SignInFrame } from './sign-in-frame.js';
import { SignIn } from './sign-in.js';
import styles from './sign-in.module.css';
import { sessionWords } from './words.js';

/** Shows its content to signed-in users and the sign-in page to everyone else, at any address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const words = useWords(sessionWords);
  const { data: session, error, refetch } = useQuery(personQuery(useApiSession()));
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (session) wasSignedIn.current = true;
  }, [session]);
  const [invite, setInvite] = useState(use(InviteContext));
  const [isBadInvite, setBadInvite] = useState(false);
  const inviteIsDone = useCallback((how: string) => {
    setInvite(undefined);
    setBadInvite(how === 'bad');
  }, []);

  if (session === undefined)
    return error ? <Failure failure={error} onRetry={refetch} isPage /> : <Loading isPage />;
  if (invite !== undefined && session)
    return <OtherSession name={session.user.display_name} onDecided={setInvite} invite={invite} />;
  if (invite !== undefined) return <OpenInvite invite={invite} onDone={inviteIsDone} />;
  if (!session)
    return <SignIn badInvite={isBadInvite} notice={wasSignedIn.current ? words.ended : undefined} />;
  return children;
}

interface OtherSessionProps {
  name: string;
  invite: string;
  onDecided: (invite: undefined) => void;
}

/** Another person is signed in: asks before the link replaces their session. */
function OtherSession({ name, invite, onDecided }: OtherSessionProps) {
  const words = useWords(sessionWords);
  const signIn = useSignIn();
  return (
    <SignInFrame>
      <div className={styles.heading}>
        <h1>{words.otherTitle}</h1>
        <p>{words.otherText(name)}</p>
      </div>
      {signIn.error && <Failure failure={signIn.error} />}
      <div className={styles.actions}>
        <Button kind="primary" isWide onPress={() => onDecided(undefined)}>
          {words.keepSession(name)}
        </Button>
        <Button
          isWide
          isPending={signIn.isPending}
          onPress={() => signIn.mutate({ invite }, { onSuccess: () => onDecided(undefined) })}
        >
          {words.useInvite}
        </Button>
      </div>
    </SignInFrame>
  );
}

/** Shows the operator's pages to a signed-in operator, otherwise the sign-in page. */
export function OperatorGate({ children }: { children: ReactNode }) {
  const { data: session, error, refetch } = useQuery(operatorQuery(useApiSession()));
  if (session === undefined)
    return error ? <Failure failure={error} onRetry={refetch} isPage /> : <Loading isPage />;
  return session ? children : <OperatorSignIn />;
}
