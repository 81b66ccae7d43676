import { createContext, use } from 'react';
import type { ApiClient, Door } from './door.js';

/** The door of this page. */
export const DoorContext = createContext<Door | undefined>(undefined);

/** The way to the server. */
export function useDoor(): Door {
  const door = use(DoorContext);
  if (!door) throw new Error('no door: render inside <App>');
  return door;
}

/** The client that the generated functions take: `listBotsAsAdmin({ client: useApi() })`. */
export const useApi = (): ApiClient => useDoor().client;
