import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { ArrowLeft } from '../icons.js';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence about the purpose of the page. */
  intro?: ReactNode;
  /** Buttons. The primary action comes last. */
  actions?: ReactNode;
  /** A state next to the title. */
  badge?: ReactNode;
  /** Link to the list that contains this object. */
  back?: { href: string; label: string };
  children: ReactNode;
}

/** A page with its heading. Also sets the title of the browser tab. */
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
  /** Without a frame, for tables and lists that have their own. */
  isPlain?: boolean;
}

/** A section of a page with a title. */
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

/** A list of names and values, such as the settings of an object. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** An entry of {@link Facts}. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
