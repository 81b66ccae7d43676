import { createContext } from 'react';

/**
 * The invite that the page was opened with; taken out of the address before anything is rendered.
 */
export const InviteContext = createContext<string | undefined>(undefined);
