// as libs/egress/src/index.ts: no-restricted-syntax
export const over = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(1000)]);
