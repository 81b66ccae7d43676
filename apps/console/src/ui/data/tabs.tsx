import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './code.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; title: string; content: ReactNode }[];
  /** Which is open, best from the address; without it the first. */
  selected?: Id;
  onSelect?: (id: Id) => void;
}

/** Parts of a page of which one is shown. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // On a phone the tab that an address names may lie beyond the edge.
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  return (
    <AriaTabs className={styles.page} selectedKey={selected} onSelectionChange={(id) => onSelect?.(id as Id)}>
      <TabList ref={list} aria-label={label} className={styles.list}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {title}
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
