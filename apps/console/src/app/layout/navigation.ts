import {
  Bell,
  Book,
  Bubble,
  Check,
  Download,
  InboundArrow,
  OutboundArrow,
  Pencil,
  People,
  Pulse,
  Robot,
  Search,
  Server,
  Squares,
} from '../../ui/icons.js';
import { isFor } from './audience.js';
import type { Role } from './audience.js';
import type { layoutWords } from './words.js';

/** An item of the navigation. */
interface NavigationItem {
  href: string;
  /** Key of the label in `layoutWords`. */
  label: keyof (typeof layoutWords)['en'];
  icon: typeof Pulse;
}

/** Items under a heading. The group without a heading comes first. */
export interface NavigationGroup {
  label?: keyof (typeof layoutWords)['en'];
  items: readonly NavigationItem[];
}

const GROUPS: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/overview', label: 'overview', icon: Pulse },
      { href: '/chat', label: 'chat', icon: Bubble },
      { href: '/search', label: 'search', icon: Search },
      { href: '/waiting', label: 'waiting', icon: Check },
      { href: '/apps', label: 'apps', icon: Squares },
    ],
  },
  {
    label: 'integrations',
    items: [
      { href: '/bots', label: 'bots', icon: Robot },
      { href: '/incoming', label: 'incoming', icon: InboundArrow },
      { href: '/outgoing', label: 'outgoing', icon: OutboundArrow },
      { href: '/installed-apps', label: 'installedApps', icon: Download },
      { href: '/own-apps', label: 'ownApps', icon: Pencil },
    ],
  },
  {
    label: 'space',
    items: [
      { href: '/people', label: 'people', icon: People },
      { href: '/approvals', label: 'approvals', icon: Check },
      { href: '/notices', label: 'notices', icon: Bell },
      { href: '/audit', label: 'audit', icon: Book },
    ],
  },
];

/** Navigation of the operator. */
export const OPERATOR_GROUPS: readonly NavigationGroup[] = [
  {
    items: [
      { href: '/operator', label: 'operatorSpaces', icon: Server },
      { href: '/operator/health', label: 'operatorHealth', icon: Pulse },
    ],
  },
];

/** Returns the navigation for a role, without pages it cannot use. */
export function navigationFor(role: Role): NavigationGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    items: group.items.filter(({ href }) => isFor(role, href)),
  })).filter(({ items }) => items.length > 0);
}
