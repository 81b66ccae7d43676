import type { Fields } from './metadata.js';

/** Props of every kind of element. */
export interface ShapeProps {
  element: Fields;
  send: (values?: readonly string[]) => void;
  isPending: boolean;
  isOff: boolean;
}
