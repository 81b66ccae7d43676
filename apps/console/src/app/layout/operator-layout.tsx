import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Loading } from '../../ui/page/loading.js';
import { PreferenceSwitches } from '../preferences/preference-switches.js';
import { useSignOut } from '../session/session.js';
import { Frame } from './frame.js';
import styles from './layout.module.css';
import { OPERATOR_GROUPS } from './navigation.js';
import { layoutWords } from './words.js';

/** Frame of the operator's pages. */
export function OperatorLayout() {
  const words = useWords(layoutWords);
  const signOut = useSignOut('operator');
  return (
    <Frame
      title={words.operator}
      groups={OPERATOR_GROUPS}
      account={
        <div className={styles.operatorAccount}>
          <PreferenceSwitches isBrief />
          <Button isSmall onPress={() => signOut.mutate()} isPending={signOut.isPending}>
            {words.signOut}
          </Button>
        </div>
      }
    >
      <Suspense fallback={<Loading isPage />}>
        <Outlet />
      </Suspense>
    </Frame>
  );
}
