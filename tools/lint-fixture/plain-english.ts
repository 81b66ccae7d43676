// as libs/bots/src/index.ts: house/plain-english
/** Whoever waits is told anew. */
export const waiting = 1;
