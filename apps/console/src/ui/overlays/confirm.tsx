import type { ReactNode } from 'react';
import { useWords } from '../../language/use-words.js';
import { Button } from '../actions/button.js';
import { FormActions } from '../forms/form.js';
import { Failure } from '../page/failure.js';
import { uiWords } from '../words.js';
import { Dialog } from './dialog.js';

interface ConfirmProps {
  /** A question that names the object: “Delete the bot deploy?” */
  title: string;
  /** What is destroyed and what is kept. */
  children: ReactNode;
  /** A verb with its object: “Delete bot”. */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isPending?: boolean;
  error?: unknown;
}

/** Asks for confirmation. The cancel button has the focus, so that Enter alone destroys nothing. */
export function Confirm({
  title,
  children,
  action,
  isOpen,
  onClose,
  onConfirm,
  isPending,
  error,
}: ConfirmProps) {
  const words = useWords(uiWords);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div>{children}</div>
      {error != null && <Failure failure={error} />}
      <FormActions>
        <Button onPress={onClose} autoFocus>
          {words.cancel}
        </Button>
        <Button kind="danger" onPress={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </FormActions>
    </Dialog>
  );
}
