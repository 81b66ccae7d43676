// as libs/bots/src/index.ts: nothing
const NAMES = new WeakMap<object, string>();

export function name(one: object, value: string): void {
  NAMES.set(one, value);
}
