import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { ChevronDown, Cross } from '../../../ui/icons.js';
import styles from './search.module.css';
import { searchWords } from './words.js';

interface FilterChipProps {
  label: string;
  /** Undefined: the filter is not set. */
  value: string | undefined;
  onClear: () => void;
  /** Content of the panel that sets the value. Without it, the filter can only be removed. */
  children?: (close: () => void) => ReactNode;
}

/** A filter: its value with a button that removes it, and a panel to choose another. */
export function FilterChip({ label, value, onClear, children }: FilterChipProps) {
  const words = useWords(searchWords);
  const [isOpen, setOpen] = useState(false);
  const text = value ? `${label}: ${value}` : label;
  return (
    <span className={styles.chip} data-set={value === undefined ? undefined : ''}>
      {children ? (
        <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
          <Button className={styles.chipText}>
            <span>{text}</span>
            {value === undefined && <ChevronDown size={14} />}
          </Button>
          <Popover className={styles.panel} placement="bottom start">
            <Dialog className={styles.panelContent} aria-label={label}>
              {children(() => setOpen(false))}
            </Dialog>
          </Popover>
        </DialogTrigger>
      ) : (
        <span className={styles.chipText}>{text}</span>
      )}
      {value !== undefined && (
        <Button className={styles.chipRemove} aria-label={words.remove(text)} onPress={onClear}>
          <Cross size={14} />
        </Button>
      )}
    </span>
  );
}
