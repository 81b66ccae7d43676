import type { ModalField } from './form.js';

/** Props of every kind of form field. */
export interface ModalInputProps {
  field: ModalField;
  token: string;
  conversationId: string;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  isFirst: boolean;
}
