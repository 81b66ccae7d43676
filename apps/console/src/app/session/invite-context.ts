import { createContext } from 'react';

/** The invite in the page's address, removed from the address before anything is rendered. */
export const InviteContext = createContext<string | undefined>(undefined);
