import { icon } from '../../ui/icons.js';

export { ArrowLeft, Bubble, Check, ChevronDown, Cross, Dots, Robot } from '../../ui/icons.js';

export const Hash = icon(<path d="M9 4 7 20M17 4l-2 16M4.500 9h16M3.500 15h16" />);
export const Lock = icon(
  <>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </>,
);
export const Speaker = icon(
  <path d="M4 10v4h4l5 4V6L8 10zM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11" />,
);
export const Send = icon(<path d="M4 12 20 4l-4 16-4.500-6.500zM11.500 13.500 20 4" />);
export const Smile = icon(
  <>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M8.500 14.500a4.300 4.300 0 0 0 7 0M9 9.500v.01M15 9.500v.01" />
  </>,
);
export const Replies = icon(<path d="M20 18v-3a5 5 0 0 0-5-5H4m5-5-5 5 5 5" />);
export const Pin = icon(<path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />);
export const Moon = icon(<path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z" />);
export const Paper = icon(<path d="M6 3h8l4 4v14H6zM14 3v4h4" />);
export const Slash = icon(<path d="M16 4 8 20" />);
export const PersonPlus = icon(
  <>
    <circle cx="10" cy="8" r="3.500" />
    <path d="M3.500 20c.4-3.600 3-5.500 6.500-5.500 1.300 0 2.500.3 3.500.8M18 13v7M14.500 16.500h7" />
  </>,
);
export const Down = icon(<path d="M12 5v14m-6-6 6 6 6-6" />);
