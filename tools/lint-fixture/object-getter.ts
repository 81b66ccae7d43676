// as libs/bots/src/index.ts: no-restricted-syntax

/** A value that is computed when it is needed. */
export const lazily = (compute: () => string) => ({
  get value() {
    return compute();
  },
});
