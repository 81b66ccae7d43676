import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { ArrowLeft } from '../icons.js';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence: what this page is for. */
  intro?: ReactNode;
  /** Buttons; the one primary action of the page comes last. */
  actions?: ReactNode;
  /** Beside the title: a state. */
  badge?: ReactNode;
  /** To the list that this page is an item of. */
  back?: { href: string; label: string };
  children: ReactNode;
}

/** A page of an area: its heading, and what it shows below. Names the browser's tab as well. */
export function Page({ title, intro, actions, badge, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tieline`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          {back && (
            <Link className={styles.back} href={back.href}>
              <ArrowLeft size={14} />
              {back.label}
            </Link>
          )}
          <div className={styles.title}>
            <h1>{title}</h1>
            {badge}
          </div>
          {intro && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without the frame: for tables and lists, which bring their own. */
  isPlain?: boolean;
}

/** A titled part of a page. */
export function Section({ title, intro, actions, children, isPlain }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHeader}>
        <div>
          <h2>{title}</h2>
          {intro && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {isPlain ? children : <div className={styles.panel}>{children}</div>}
    </section>
  );
}

/** Names and values below each other, such as the settings of one object. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** One line of {@link Facts}. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
