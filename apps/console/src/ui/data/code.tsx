import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { CopyButton } from '../actions/copy.js';
import styles from './code.module.css';

/** A code snippet with a copy button. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles.block}>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} />
      </div>
      <pre className={styles.code} tabIndex={0} aria-label={what} role="region">
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** The same snippet in several languages, as tabs. */
export function CodeTabs({
  label,
  samples,
}: {
  label: string;
  samples: readonly { id: string; title: string; text: string }[];
}) {
  return (
    <Tabs className={styles.tabs}>
      <TabList aria-label={label} className={styles.list}>
        {samples.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {title}
          </Tab>
        ))}
      </TabList>
      {samples.map(({ id, title, text }) => (
        <TabPanel key={id} id={id} className={styles.panel}>
          <Code text={text} what={title} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
