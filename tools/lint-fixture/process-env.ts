// as libs/bots/src/index.ts: no-restricted-syntax
export const port = process.env.PORT;
