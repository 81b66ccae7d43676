import type { ReactNode } from 'react';

/** Creates an icon from paths in a 24 × 24 box. */
function icon(paths: ReactNode) {
  return function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg
        aria-hidden
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.8}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {paths}
      </svg>
    );
  };
}

export const ChevronDown = icon(<path d="m6 9 6 6 6-6" />);
export const ChevronRight = icon(<path d="m9 6 6 6-6 6" />);
export const ChevronLeft = icon(<path d="m15 6-6 6 6 6" />);
export const CalendarIcon = icon(
  <>
    <rect x="4" y="6" width="16" height="14" rx="2" />
    <path d="M4 11h16M8 3v4M16 3v4" />
  </>,
);
export const ArrowLeft = icon(<path d="M19 12H5m6-6-6 6 6 6" />);
export const Plus = icon(<path d="M12 5v14M5 12h14" />);
export const Cross = icon(<path d="M6 6l12 12M18 6 6 18" />);
export const Check = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const Dots = icon(
  <>
    <circle cx="5" cy="12" r="1" fill="currentColor" />
    <circle cx="12" cy="12" r="1" fill="currentColor" />
    <circle cx="19" cy="12" r="1" fill="currentColor" />
  </>,
);
export const Lines = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CopyIcon = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M5 15H4a1 1 0 0 1-1-1V5a2 2 0 0 1 2-2h9a1 1 0 0 1 1 1v1" />
  </>,
);
export const Pulse = icon(<path d="M3 12h4l3-8 4 16 3-8h4" />);
export const Robot = icon(
  <>
    <rect x="4" y="8" width="16" height="11" rx="3" />
    <path d="M12 8V4M9 13v1.5M15 13v1.5M2 13v2M22 13v2" />
  </>,
);
export const InboundArrow = icon(<path d="M20 4 9 15m0-8v8h8M4 20h16" />);
export const OutboundArrow = icon(<path d="M8 16 19 5m0 8V5h-8M4 20h16" />);
export const People = icon(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20c.4-3.6 3-5.5 6.5-5.5s6.1 1.9 6.5 5.500M16 4.800a3.5 3.5 0 0 1 0 6.400M18 14.800c2 .7 3.2 2.5 3.5 5.2" />
  </>,
);
export const Bell = icon(<path d="M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15zM10 21h4" />);
export const Book = icon(<path d="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h6" />);
export const Bubble = icon(<path d="M4 5h16v11H10l-5 4v-4H4z" />);
export const Squares = icon(
  <>
    <rect x="4" y="4" width="6.500" height="6.500" rx="1.500" />
    <rect x="13.500" y="4" width="6.500" height="6.500" rx="1.500" />
    <rect x="4" y="13.500" width="6.500" height="6.500" rx="1.500" />
    <path d="M16.750 13.500v6.500M13.500 16.750h6.500" />
  </>,
);
export const Server = icon(
  <>
    <rect x="3" y="4" width="18" height="7" rx="2" />
    <rect x="3" y="13" width="18" height="7" rx="2" />
    <path d="M7 7.500h.01M7 16.500h.01" />
  </>,
);
export const PictureIcon = icon(
  <>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <circle cx="8.5" cy="10" r="1.5" />
    <path d="m4 18 5.5-5 3.500 3 3-2.500 4.500 4" />
  </>,
);
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
export const Paper = icon(<path d="M6 3h8l4 4v14H6zM14 3v4h4" />);
export const Slash = icon(<path d="M16 4 8 20" />);
export const Search = icon(
  <>
    <circle cx="11" cy="11" r="6.500" />
    <path d="m16 16 4.500 4.500" />
  </>,
);
export const ThumbUp = icon(
  <path d="M7 11v9H4v-9zM7 11l4-7a2 2 0 0 1 2.500 2.500L13 10h5.500a1.500 1.500 0 0 1 1.500 1.900l-1.700 6.500a2 2 0 0 1-2 1.600H7" />,
);
export const ThumbDown = icon(
  <path d="M7 13V4H4v9zM7 13l4 7a2 2 0 0 0 2.500-2.500L13 14h5.500a1.500 1.500 0 0 0 1.500-1.900l-1.700-6.500a2 2 0 0 0-2-1.600H7" />,
);
export const Refresh = icon(
  <path d="M20 11a8 8 0 0 0-14.300-4L4 9m0-5v5h5M4 13a8 8 0 0 0 14.300 4L20 15m0 5v-5h-5" />,
);
export const Trash = icon(<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5" />);
export const Pencil = icon(<path d="m4 20 1-4L16 5l3 3L8 19zM14 7l3 3" />);
export const Share = icon(<path d="M12 15V4m-4 4 4-4 4 4M5 12v8h14v-8" />);
export const Download = icon(<path d="M12 4v11m-4-4 4 4 4-4M5 20h14" />);
export const Bookmark = icon(<path d="M7 4h10v16l-5-4-5 4z" />);
export const Flag = icon(<path d="M6 21V4h11l-2 4 2 4H6" />);
export const Info = icon(
  <>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M12 11v5M12 8v.01" />
  </>,
);
export const Sliders = icon(
  <>
    <path d="M4 8h9M17 8h3M4 16h3M11 16h9" />
    <circle cx="15" cy="8" r="2" />
    <circle cx="9" cy="16" r="2" />
  </>,
);
export const Bolt = icon(<path d="M13 3 5 14h6l-1 7 8-11h-6z" />);
export const Down = icon(<path d="M12 5v14m-6-6 6 6 6-6" />);
export const Clip = icon(
  <path d="m20 11-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.300 17.100a1.700 1.700 0 0 1-2.400-2.400l7.600-7.600" />,
);
