// as libs/bots/src/index.ts: house/no-module-state
const known = new Map<string, string>();

export function remember(key: string, value: string): void {
  known.set(key, value);
}
