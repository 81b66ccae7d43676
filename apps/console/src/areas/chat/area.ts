import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/routes.js';
import type { ChatSearch } from './chat-search.js';
import { messageSearch } from './search/message-search.js';

const ChatPage = lazyRouteComponent(() => import('./chat-page.js'), 'ChatPage');
const WaitingPage = lazyRouteComponent(() => import('./approvals/waiting-page.js'), 'WaitingPage');
const SearchPage = lazyRouteComponent(() => import('./search/search-page.js'), 'SearchPage');
const PermalinkPage = lazyRouteComponent(() => import('./permalink-page.js'), 'PermalinkPage');

/** Routes of the chat. */
export const chatRoutes = [
  createRoute({ getParentRoute: () => signedInRoute, path: '/chat', component: ChatPage }),
  createRoute({ getParentRoute: () => signedInRoute, path: '/waiting', component: WaitingPage }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/chat/$conversationId',
    component: ChatPage,
    validateSearch: (search: Record<string, unknown>): ChatSearch => ({
      ...(typeof search.thread === 'string' && { thread: search.thread }),
      ...(Number.isInteger(search.at) && { at: Number(search.at) }),
      ...(search.tab === 'home' && { tab: 'home' as const }),
      ...(Number.isInteger(search.reply) && { reply: Number(search.reply) }),
    }),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/search',
    component: SearchPage,
    validateSearch: messageSearch,
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/c/$conversationId/$messageId',
    component: PermalinkPage,
  }),
] as const;
