// as libs/bots/src/index.ts: @typescript-eslint/no-floating-promises
async function work(): Promise<void> {}

work();
