import type { Fields } from './metadata.js';

/** What each kind of element is given. */
export interface ShapeProps {
  element: Fields;
  send: (values?: readonly string[]) => void;
  isPending: boolean;
  isOff: boolean;
}
