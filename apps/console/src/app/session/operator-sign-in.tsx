import { useState } from 'react';
import { Link } from 'react-aria-components';
import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Field } from '../../ui/forms/field.js';
import { Form } from '../../ui/forms/form.js';
import { useOperatorSignIn } from './session.js';
import { SignInFrame } from './sign-in-frame.js';
import styles from './sign-in.module.css';
import { sessionWords } from './words.js';

/** Sign-in of the operator, with its own cookie and endpoints. */
export function OperatorSignIn() {
  const words = useWords(sessionWords);
  const [token, setToken] = useState('');
  const signIn = useOperatorSignIn();
  const explain = (error: unknown) =>
    error instanceof ApiFailure && error.status === 401 ? { token: words.badOperator } : undefined;
  const submit = () => signIn.mutate(token.trim(), { onSuccess: () => setToken('') });
  return (
    <SignInFrame footer={<Link href="/">{words.personInstead}</Link>}>
      <div className={styles.heading}>
        <h1>{words.operatorTitle}</h1>
        <p>{words.operatorIntro}</p>
      </div>
      <Form onSubmit={submit} error={signIn.error} explain={explain}>
        <Field
          label={words.operatorToken}
          name="token"
          type="password"
          hint={words.operatorHint}
          value={token}
          onChange={setToken}
          autoComplete="off"
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
