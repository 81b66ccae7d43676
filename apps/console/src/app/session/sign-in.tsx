import { useState } from 'react';
import { Link } from 'react-aria-components';
import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Field } from '../../ui/forms/field.js';
import { Form } from '../../ui/forms/form.js';
import { Note } from '../../ui/page/note.js';
import { parseCredential } from './invite.js';
import { useSignIn } from './session.js';
import { SignInFrame } from './sign-in-frame.js';
import styles from './sign-in.module.css';
import { sessionWords } from './words.js';

/** The sign-in form. The address stays the same, so that users reach the page they wanted. */
export function SignIn({ notice, badInvite }: { notice?: string; badInvite?: boolean }) {
  const words = useWords(sessionWords);
  const [pasted, setPasted] = useState('');
  const signIn = useSignIn();
  const explain = (error: unknown) =>
    error instanceof ApiFailure && error.status === 401 ? { credential: words.badCredential } : undefined;
  const submit = () => signIn.mutate(parseCredential(pasted), { onSuccess: () => setPasted('') });
  return (
    <SignInFrame
      footer={
        <>
          <p>{words.noInvite}</p>
          <p>
            <Link href="/operator">{words.operatorInstead}</Link>
          </p>
        </>
      }
    >
      <div className={styles.heading}>
        <h1>{words.title}</h1>
        <p>{words.intro}</p>
      </div>
      {notice && <Note kind="info">{notice}</Note>}
      {badInvite && !signIn.error && <Note kind="bad">{words.badInvite}</Note>}
      <Form onSubmit={submit} error={signIn.error} explain={explain}>
        <Field
          label={words.credential}
          name="credential"
          hint={words.credentialHint}
          value={pasted}
          onChange={setPasted}
          autoComplete="off"
          spellCheck="false"
          isRequired
          autoFocus
        />
        <Button kind="primary" type="submit" isPending={signIn.isPending} isWide>
          {words.signIn}
        </Button>
      </Form>
    </SignInFrame>
  );
}
