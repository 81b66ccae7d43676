// as libs/bots/src/index.ts: house/no-module-state
let count = 0;

export const next = (): number => (count += 1);
