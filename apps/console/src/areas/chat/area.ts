import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';

const ChatPage = lazyRouteComponent(() => import('./chat-page.js'), 'ChatPage');

/** What the address says besides the conversation. */
export interface ChatSearch {
  /** Root message of the thread that is open beside it. */
  thread?: string;
  /** `msg_index` of the message to begin at. */
  at?: number;
}

/** Conversations and what is said in them. */
export const chatRoutes = [
  createRoute({ getParentRoute: () => signedInRoute, path: '/chat', component: ChatPage }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/chat/$conversationId',
    component: ChatPage,
    validateSearch: (search: Record<string, unknown>): ChatSearch => ({
      ...(typeof search.thread === 'string' && { thread: search.thread }),
      ...(Number.isInteger(search.at) && { at: Number(search.at) }),
    }),
  }),
] as const;
