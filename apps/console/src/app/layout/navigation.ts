import {
  Bell,
  Book,
  Bubble,
  InboundArrow,
  OutboundArrow,
  People,
  Pulse,
  Robot,
  Server,
} from '../../ui/icons.js';
import type { layoutWords } from './words.js';

/** Roles that the admin endpoints let in. */
const ADMINS = ['owner', 'admin'];

type Role = 'owner' | 'admin' | 'member' | 'guest';

/** A line of the navigation. */
export interface NavigationItem {
  href: string;
  /** Key of the layout's words. */
  label: keyof (typeof layoutWords)['en'];
  icon: typeof Pulse;
  /** Everybody, unless given. */
  roles?: readonly string[];
}

/** Lines under one heading; without a heading they come first. */
export interface NavigationGroup {
  label?: keyof (typeof layoutWords)['en'];
  items: readonly NavigationItem[];
}

const GROUPS: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/overview', label: 'overview', icon: Pulse },
      { href: '/chat', label: 'chat', icon: Bubble },
    ],
  },
  {
    label: 'integrations',
    items: [
      { href: '/bots', label: 'bots', icon: Robot, roles: ADMINS },
      { href: '/incoming', label: 'incoming', icon: InboundArrow, roles: ADMINS },
      { href: '/outgoing', label: 'outgoing', icon: OutboundArrow, roles: ADMINS },
    ],
  },
  {
    label: 'space',
    items: [
      { href: '/people', label: 'people', icon: People, roles: ADMINS },
      { href: '/notices', label: 'notices', icon: Bell, roles: ADMINS },
      { href: '/audit', label: 'audit', icon: Book, roles: ADMINS },
    ],
  },
];

/** The operator's lines. */
export const OPERATOR_GROUPS: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/operator', label: 'operatorSpaces', icon: Server },
      { href: '/operator/health', label: 'operatorHealth', icon: Pulse },
    ],
  },
];

/** Whether pages at this address are for the role. */
export function isFor(role: Role, path: string): boolean {
  const item = GROUPS.flatMap(({ items }) => items).find(
    ({ href }) => path === href || path.startsWith(`${href}/`),
  );
  return !item?.roles || item.roles.includes(role);
}

/** What a person of this role finds in the navigation: nothing that would only refuse them. */
export function navigationFor(role: Role): NavigationGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    items: group.items.filter(({ roles }) => !roles || roles.includes(role)),
  })).filter(({ items }) => items.length > 0);
}
