import type { ModalField } from './form.js';

/** What each kind of field of a form is given. */
export interface ModalInputProps {
  field: ModalField;
  token: string;
  conversationId: string;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  isFirst: boolean;
}
