import { usePerson, useSignOut } from '../../app/session/session.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Failure } from '../../ui/page/failure.js';
import styles from './consent.module.css';
import { consentWords } from './words.js';

/** Who answers, and a button to sign in as someone else. */
export function Account() {
  const words = useWords(consentWords);
  const person = usePerson();
  const signOut = useSignOut('person');
  return (
    <div className={styles.account}>
      <span>{words.signedInAs(person.display_name)}</span>
      <Button kind="quiet" isSmall isPending={signOut.isPending} onPress={() => signOut.mutate()}>
        {words.otherAccount}
      </Button>
      {signOut.error && <Failure failure={signOut.error} />}
    </div>
  );
}
