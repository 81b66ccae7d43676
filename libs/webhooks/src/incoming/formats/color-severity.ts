import type { Severity } from './severity.js';

const NAMES: ReadonlyMap<string, Severity> = new Map([
  ['danger', 'critical'],
  ['warning', 'warning'],
  ['good', 'info'],
]);
/** Below it a colour is a grey, whatever its hue. */
const MIN_SATURATION = 0.2;
/**
 * Degrees of the colour wheel up to which a hue means something, in order: red, orange and yellow,
 * green, the blues, red again.
 */
const HUES: readonly (readonly [number, Severity | undefined])[] = [
  [15, 'critical'],
  [70, 'warning'],
  [170, 'info'],
  [335, undefined],
  [360, 'critical'],
];

/**
 * The severity that the colour of an attachment means (decisions, section 11.2): the contract's
 * names, and hexadecimal colours by their hue. Greys and blues mean none.
 *
 * @param color as readAttachments keeps it: a name, or `#` with 3, 6 or 8 digits
 */
export function severityOfColor(color: string): Severity | undefined {
  if (!color.startsWith('#')) return NAMES.get(color);
  const [red, green, blue] = channels(color.slice(1));
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === 0 || (most - least) / most < MIN_SATURATION) return undefined;
  const hue = hueOf(red, green, blue);
  return HUES.find(([end]) => hue < end)?.[1];
}

/** The same of a hexadecimal color with or without `#`; undefined for anything else. */
export function severityOfHex(color: string): Severity | undefined {
  const hex = /^#?((?:[0-9a-f]{3}){1,2}|[0-9a-f]{8})$/i.exec(color.trim())?.[1];
  return hex === undefined ? undefined : severityOfColor(`#${hex}`);
}

function channels(hex: string): [number, number, number] {
  const digits = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as [number, number, number];
}

/** In degrees, 0 to 360. */
function hueOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (most === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  return most === green ? 60 * ((blue - red) / chroma + 2) : 60 * ((red - green) / chroma + 4);
}
