import { createContext, use } from 'react';
import type { Fields } from '../blocks/metadata.js';
import type { FeedbackChoice } from '../log/message-log.js';
import type { Place, State } from './state.js';

/** Options that an app returns for an `external_select`. */
export interface Suggestions {
  options?: unknown;
  option_groups?: unknown;
}

/** The message, modal or Home tab that blocks belong to: its state, and how it reaches the app. */
export interface Surface {
  state: State;
  /** Errors of the last submission, by `block_id`. */
  errors: Readonly<Record<string, string>>;
  /** Whether nothing can be pressed, as in conversations that the person has not joined. */
  isOff: boolean;
  /** Key for queries of suggestions. */
  id: string;
  /** The element whose action the app has yet to acknowledge. */
  pending: Place | undefined;
  change(place: Place, value: Fields): void;
  /** Sends an action to the app. `onDone` runs when the app has it. */
  act(place: Place, value: Fields, onDone?: () => void): void;
  /** What the person thinks of the message. Views have none. */
  feedback?: { mine: FeedbackChoice | undefined; take: (choice: FeedbackChoice) => void };
  suggest(place: Place, query: string): Promise<Suggestions>;
  /** Returns the conversation that files are uploaded for. */
  fileConversation(): Promise<string>;
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

/** Returns the surface. Only inside of `<AppBlocks>`. */
export function useSurface(): Surface {
  const surface = use(SurfaceContext);
  if (!surface) throw new Error('no surface: render inside <AppBlocks>');
  return surface;
}

/** Returns whether an action of the element is being sent. */
export const isPendingAt = ({ pending }: Surface, { blockId, actionId }: Place): boolean =>
  pending?.blockId === blockId && pending.actionId === actionId;
