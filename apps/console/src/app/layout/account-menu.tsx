import type { OwnUserView } from '@tieline/sdk/api';
import { Button, Dialog, DialogTrigger, Link, Popover } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Button as OurButton } from '../../ui/actions/button.js';
import { ChevronDown } from '../../ui/icons.js';
import { PreferenceSwitches } from '../preferences/preference-switches.js';
import { useSignOut } from '../session/session.js';
import styles from './layout.module.css';
import { layoutWords } from './words.js';

/** Menu with the signed-in person, theme, language and sign-out. */
export function AccountMenu({ person }: { person: OwnUserView }) {
  const words = useWords(layoutWords);
  const signOut = useSignOut('person');
  return (
    <DialogTrigger>
      <Button className={styles.person}>
        <span className={styles.avatar} aria-hidden>
          {initials(person.display_name)}
        </span>
        <span className={styles.personName}>
          <span>{person.display_name}</span>
          <span className={styles.role}>{words[person.role]}</span>
        </span>
        <ChevronDown size={14} />
      </Button>
      <Popover className={styles.accountPopover} placement="top start">
        <Dialog className={styles.accountPanel} aria-label={words.account}>
          {({ close }) => (
            <>
              <PreferenceSwitches />
              <Link className={styles.accountLink} href="/sessions" onPress={close}>
                {words.sessions}
              </Link>
              <Link className={styles.accountLink} href="/authorizations" onPress={close}>
                {words.authorizations}
              </Link>
              <Link className={styles.accountLink} href="/api/docs" target="_blank">
                {words.apiDocs}
              </Link>
              <OurButton isWide onPress={() => signOut.mutate()} isPending={signOut.isPending}>
                {words.signOut}
              </OurButton>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const initials = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
