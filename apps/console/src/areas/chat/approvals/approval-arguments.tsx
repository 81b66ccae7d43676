import { useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import styles from './approval-card.module.css';
import { FOLD_AT, shownArguments } from './shown-arguments.js';
import { approvalWords } from './words.js';

interface ApprovalArgumentsProps {
  of: Readonly<Record<string, unknown>>;
  sha256: string | null;
}

/** Arguments of a tool: a table or formatted JSON, with the hash that the bot can compare. */
export function ApprovalArguments({ of, sha256 }: ApprovalArgumentsProps) {
  const words = useWords(approvalWords);
  const shown = shownArguments(of);
  return (
    <div className={styles.arguments}>
      {shown.kind === 'table' ? (
        <table className={styles.table} aria-label={words.arguments}>
          <tbody>
            {shown.rows.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Folded text={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Folded text={shown.text} />
      )}
      {sha256 !== null && (
        <span className={styles.digest}>
          {words.digest} <code>{sha256}</code>
        </span>
      )}
    </div>
  );
}

/** Values with more lines may be higher than their box. */
const MANY_LINES = 10;

/** A value whose rest is shown on request. */
function Folded({ text }: { text: string }) {
  const words = useWords(approvalWords);
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > FOLD_AT;
  // The keyboard reaches only values that can scroll.
  const isScrolling = isOpen || text.split('\n').length > MANY_LINES;
  return (
    <>
      <pre className={styles.value} tabIndex={isScrolling ? 0 : undefined}>
        {isLong && !isOpen ? `${text.slice(0, FOLD_AT)}…` : text}
      </pre>
      {isLong && (
        <Button isSmall kind="quiet" onPress={() => setOpen(!isOpen)}>
          {isOpen ? words.less : words.more(text.length - FOLD_AT)}
        </Button>
      )}
    </>
  );
}
