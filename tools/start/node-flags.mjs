/**
 * How api and worker are started: with little garbage in memory. At 2,500 posts a second an api takes 205 MB so, 330 MB without, for a
 * tenth more processor time; on Node 24 the young generation alone would grow to 128 MB. A smaller one than this costs half as much
 * time again. `docker/entrypoint.sh` has the same.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=20'];
