import { disableTypes, imageSize, types } from 'image-size';

/** Pixels; both 0 if unknown. */
export interface Dimensions {
  width: number;
  height: number;
}

const UNKNOWN: Dimensions = { width: 0, height: 0 };
const SUPPORTED = ['png', 'jpg', 'gif', 'webp'];
const MAX = 2 ** 31 - 1;
/** EXIF orientations from this value on are shown rotated by 90 degrees. */
const FIRST_ROTATED = 5;
/** Maximum number of JPEG segments before the one with the size. Real files have a few dozen. */
const MAX_SEGMENTS = 1000;
/** Marker, length, depth, height and width. */
const SIZE_BYTES = 9;

// Formats that are not listed here are not parsed.
disableTypes(types.filter((type) => !SUPPORTED.includes(type)));

/**
 * Returns width and height of a PNG, JPEG, GIF or WebP from its first bytes. They are swapped for
 * a photo that its EXIF data rotates. Returns 0 for other formats, damaged files, and if the bytes
 * end before the size. Never throws.
 */
export function imageDimensions(start: Uint8Array): Dimensions {
  const header = isJpeg(start) ? jpegHeader(start) : start;
  if (!header || !isSupported(header)) return UNKNOWN;
  try {
    // Copies the bytes, because image-size reads beyond the end of a view.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(header));
    if (![width, height].every((length) => Number.isInteger(length) && length >= 1 && length <= MAX))
      return UNKNOWN;
    return orientation >= FIRST_ROTATED ? { width: height, height: width } : { width, height };
  } catch {
    return UNKNOWN;
  }
}

/** Returns whether the bytes start like a JPEG, whose size can be far behind its start. */
export function isJpeg(start: Uint8Array): boolean {
  return start[0] === 0xff && start[1] === 0xd8;
}

/**
 * Returns the segments up to the one with the size. image-size would examine every byte of a broken
 * file and convert each segment, so it gets only this part.
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

function isSupported(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 12)).toString('latin1');
  return (
    isJpeg(start) ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('GIF8') ||
    (text.startsWith('RIFF') && text.endsWith('WEBP'))
  );
}
