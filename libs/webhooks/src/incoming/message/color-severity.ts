import type { Severity } from './severity.js';

const NAMES: ReadonlyMap<string, Severity> = new Map([
  ['danger', 'critical'],
  ['warning', 'warning'],
  ['good', 'info'],
]);
/** Colors below this saturation count as gray, whatever their hue. */
const MIN_SATURATION = 0.2;
/**
 * Upper bound of each hue range in degrees, with the severity it means: red, orange and yellow,
 * green, blue, red again.
 */
const HUES: readonly (readonly [number, Severity | undefined])[] = [
  [15, 'critical'],
  [70, 'warning'],
  [170, 'info'],
  [335, undefined],
  [360, 'critical'],
];

/**
 * Returns the severity that an attachment's color means: by name, or by the hue of a hexadecimal
 * color. Gray and blue mean none.
 * @param color a name, or `#` with 3, 6 or 8 digits, as returned by readAttachments
 */
export function severityOfColor(color: string): Severity | undefined {
  if (!color.startsWith('#')) return NAMES.get(color);
  const [red, green, blue] = channels(color.slice(1));
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === 0 || (most - least) / most < MIN_SATURATION) return undefined;
  const hue = hueOf(red, green, blue);
  return HUES.find(([end]) => hue < end)?.[1];
}

/**
 * Like {@link severityOfColor} for a hexadecimal color with or without `#`. Returns undefined for
 * anything else.
 */
export function severityOfHex(color: string): Severity | undefined {
  const hex = /^#?((?:[0-9a-f]{3}){1,2}|[0-9a-f]{8})$/i.exec(color.trim())?.[1];
  return hex === undefined ? undefined : severityOfColor(`#${hex}`);
}

function channels(hex: string): [number, number, number] {
  const digits = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as [number, number, number];
}

/** Returns the hue in degrees, 0 to 360. */
function hueOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (most === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  return most === green ? 60 * ((blue - red) / chroma + 2) : 60 * ((red - green) / chroma + 4);
}
