import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Dialog, Link, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Cross, Lines } from '../../ui/icons.js';
import icon from '../theme/icon.svg';
import styles from './layout.module.css';
import type { NavigationGroup } from './navigation.js';
import { layoutWords } from './words.js';

interface FrameProps {
  title: string;
  groups: readonly NavigationGroup[];
  /** Numbers next to items, by address. */
  counts?: Readonly<Record<string, string | undefined>>;
  /** Keyboard shortcuts of items, by address. */
  shortcuts?: Readonly<Record<string, string>>;
  /** Shown below the navigation: the signed-in person. */
  account: ReactNode;
  children: ReactNode;
}

/** Navigation next to the page. On narrow screens a button opens it. */
export function Frame({ title, groups, counts = {}, shortcuts = {}, account, children }: FrameProps) {
  const words = useWords(layoutWords);
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  const side = (
    <>
      <Navigation groups={groups} counts={counts} shortcuts={shortcuts} path={path} />
      <div className={styles.account}>{account}</div>
    </>
  );
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <div className={styles.sidebar}>
        <Mark title={title} />
        {side}
      </div>
      <div className={styles.topbar}>
        <Mark title={title} />
        <Button className={styles.menuButton} aria-label={words.menu} onPress={() => setOpen(true)}>
          <Lines size={20} />
        </Button>
      </div>
      <ModalOverlay className={styles.scrim} isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className={styles.drawer}>
          <Dialog className={styles.drawerContent} aria-label={words.menu}>
            <Button slot="close" className={styles.menuButton} aria-label={words.menu}>
              <Cross size={20} />
            </Button>
            {side}
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Mark({ title }: { title: string }) {
  return (
    <Link className={styles.mark} href="/">
      <img src={icon} alt="" width={24} height={24} />
      <span>{title}</span>
    </Link>
  );
}

interface NavigationProps {
  groups: readonly NavigationGroup[];
  counts: Readonly<Record<string, string | undefined>>;
  shortcuts: Readonly<Record<string, string>>;
  path: string;
}

function Navigation({ groups, counts, shortcuts, path }: NavigationProps) {
  const words = useWords(layoutWords);
  const current = currentOf(
    groups.flatMap(({ items }) => items.map(({ href }) => href)),
    path,
  );
  return (
    <nav aria-label={words.navigation} className={styles.navigation}>
      {groups.map(({ label, items }) => (
        <div key={label ?? ''}>
          {label && <div className={styles.group}>{words[label]}</div>}
          <ul>
            {items.map(({ href, label: name, icon: Icon }) => (
              <li key={href}>
                <Link
                  className={styles.item}
                  href={href}
                  aria-current={href === current ? 'page' : undefined}
                >
                  <Icon size={17} />
                  {words[name]}
                  {shortcuts[href] !== undefined && (
                    <kbd className={styles.shortcut} aria-hidden>
                      {shortcuts[href]}
                    </kbd>
                  )}
                  {counts[href] !== undefined && <span className={styles.count}>{counts[href]}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Returns the navigation item of the current page: the longest matching prefix. */
const currentOf = (hrefs: readonly string[], path: string): string | undefined =>
  hrefs.filter((href) => path === href || path.startsWith(`${href}/`)).sort((a, b) => b.length - a.length)[0];
