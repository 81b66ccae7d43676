import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './code.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; title: string; content: ReactNode }[];
  /** The open tab, preferably from the address. Default: the first. */
  selected?: Id;
  onSelect?: (id: Id) => void;
}

/** Tabs of a page. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  return (
    <AriaTabs className={styles.page} selectedKey={selected} onSelectionChange={(id) => onSelect?.(id as Id)}>
      <TabList aria-label={label} className={styles.list}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {({ isSelected }) => <Title isOpen={isSelected}>{title}</Title>}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.pagePanel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/**
 * Scrolls the selected tab into view on narrow screens, after rendering and again after fonts have
 * loaded.
 */
function Title({ isOpen, children }: { isOpen: boolean; children: string }) {
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const bringIntoSight = () =>
      title.current?.closest('[role=tab]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    bringIntoSight();
    void document.fonts.ready.then(bringIntoSight);
  }, [isOpen]);
  return <span ref={title}>{children}</span>;
}
