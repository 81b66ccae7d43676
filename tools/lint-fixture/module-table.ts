// as libs/bots/src/index.ts: nothing
const TABLE = new Map([['a', 1]]);

export const valueOf = (key: string): number | undefined => TABLE.get(key);
