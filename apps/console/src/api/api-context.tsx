import { createContext, use } from 'react';
import type { ApiClient, ApiSession } from './api-session.js';

/** The session with the server of this page. */
export const SessionContext = createContext<ApiSession | undefined>(undefined);

/** Returns the session with the server. */
export function useApiSession(): ApiSession {
  const apiSession = use(SessionContext);
  if (!apiSession) throw new Error('no session: render inside <App>');
  return apiSession;
}

/** Returns the client for generated functions: `listBotsAsAdmin({ client: useApi() })`. */
export const useApi = (): ApiClient => useApiSession().client;
