// as libs/bots/src/index.ts: house/no-module-state
export class Counter {
  static count = 0;
}
