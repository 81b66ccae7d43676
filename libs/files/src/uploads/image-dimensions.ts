import { disableTypes, imageSize, types } from 'image-size';

/** Pixels; both 0 when they are not known. */
export interface Dimensions {
  width: number;
  height: number;
}

const UNKNOWN: Dimensions = { width: 0, height: 0 };
const READ = ['png', 'jpg', 'gif', 'webp'];
const MAX = 2 ** 31 - 1;
/** EXIF orientations from here on are shown on their side. */
const FIRST_TURNED = 5;
/** Segments of a JPEG before the one with its size, at most; real ones have a few dozen. */
const MAX_SEGMENTS = 1000;
/** Marker, length, depth, height and width. */
const SIZE_BYTES = 9;

// Formats that are not listed here are not parsed.
disableTypes(types.filter((type) => !READ.includes(type)));

/**
 * Width and height of a PNG, JPEG, GIF or WebP by its first bytes, as it is shown (a photo that
 * lies on its side by its EXIF data is turned); 0 for anything else, for damaged ones, and where
 * the bytes end before they say so. Never throws.
 */
export function imageDimensions(start: Uint8Array): Dimensions {
  const header = isJpeg(start) ? jpegHeader(start) : start;
  if (!header || !isRead(header)) return UNKNOWN;
  try {
    // A copy: image-size reads past the end of a view, into foreign bytes.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(header));
    if (![width, height].every((length) => Number.isInteger(length) && length >= 1 && length <= MAX))
      return UNKNOWN;
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height };
  } catch {
    return UNKNOWN;
  }
}

/** Whether the bytes begin as a JPEG, whose size can lie far behind its beginning. */
export function isJpeg(start: Uint8Array): boolean {
  return start[0] === 0xff && start[1] === 0xd8;
}

/**
 * The segments up to the one with the size. image-size would look at every byte of a broken file
 * and convert each segment, so it gets only what a few steps reach.
 */
function jpegHeader(start: Uint8Array): Uint8Array | undefined {
  let at = 2;
  for (
    let segments = 0;
    segments < MAX_SEGMENTS && at + SIZE_BYTES <= start.length && start[at] === 0xff;
    segments += 1
  ) {
    const [marker = 0, high = 0, low = 0] = start.subarray(at + 1, at + 4);
    if (marker >= 0xc0 && marker <= 0xc2) return start.subarray(0, at + SIZE_BYTES);
    at += 2 + high * 256 + low;
  }
  return undefined;
}

function isRead(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 12)).toString('latin1');
  return (
    isJpeg(start) ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('GIF8') ||
    (text.startsWith('RIFF') && text.endsWith('WEBP'))
  );
}
