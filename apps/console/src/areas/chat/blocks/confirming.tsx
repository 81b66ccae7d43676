import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { text } from './metadata.js';
import type { Fields } from './metadata.js';
import { blockWords } from './words.js';

interface ConfirmingProps {
  confirm: Fields;
  /** Whether the button destroys something. */
  isDanger: boolean;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks for the confirmation that the bot requires before a click. */
export function Confirming({ confirm, isDanger, isOpen, onClose, onConfirm }: ConfirmingProps) {
  const words = useWords(blockWords);
  return (
    <Dialog title={text(confirm.title) || words.sure} isOpen={isOpen} onClose={onClose}>
      {text(confirm.text) !== '' && <p>{text(confirm.text)}</p>}
      <FormActions>
        <Button onPress={onClose}>{text(confirm.cancel_label) || words.cancel}</Button>
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={onConfirm} autoFocus>
          {text(confirm.confirm_label) || words.yes}
        </Button>
      </FormActions>
    </Dialog>
  );
}
