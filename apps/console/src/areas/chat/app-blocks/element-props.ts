import type { Fields } from '../blocks/metadata.js';

/** Props of every kind of element. */
export interface ElementProps {
  element: Fields;
  type: string;
  /** What the element is called: of its input block, its placeholder, or its section's text. */
  label: string;
  /** Whether the label is shown, as in input blocks. Otherwise it is for screen readers. */
  isLabelled: boolean;
  hint: string | undefined;
  isRequired: boolean;
  error: string | undefined;
  isOff: boolean;
  isPending: boolean;
  /** Whether changes are sent to the app. */
  isDispatching: boolean;
  placeholder: string;
  /** What the value holds: an option, a list, a text, or null. */
  held: unknown;
  /** Stores a value, and sends it to the app if the element dispatches actions. */
  set: (held: unknown, options?: { isSent?: boolean }) => void;
  /** Sends an action without a stored value, such as a press. `onDone` runs when the app has it. */
  press: (more?: Fields, onDone?: () => void) => void;
  /** Sends the stored value. */
  send: () => void;
  /** Returns options of the app for a typed text. */
  suggest: (query: string) => Promise<{ options?: unknown; option_groups?: unknown }>;
  /** Identifies the element in queries. */
  id: string;
}
