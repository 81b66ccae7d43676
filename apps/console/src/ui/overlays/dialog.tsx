import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Dialog as AriaDialog,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Cross } from '../icons.js';
import { uiWords } from '../words.js';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /**
   * For entered text or content shown only once: Escape and clicks outside do not close the dialog.
   */
  isKept?: boolean;
  isWide?: boolean;
}

/** A modal dialog. When it closes, the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, children, isKept, isWide }: DialogProps) {
  const words = useWords(uiWords);
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isKept}
      isKeyboardDismissDisabled={isKept}
    >
      <Modal className={`${styles.modal} ${isWide ? styles.wide : ''}`}>
        <AriaDialog className={styles.dialog}>
          <header className={styles.header}>
            <Heading slot="title">{title}</Heading>
            {!isKept && (
              <AriaButton className={styles.close} aria-label={words.close} onPress={onClose}>
                <Cross />
              </AriaButton>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
