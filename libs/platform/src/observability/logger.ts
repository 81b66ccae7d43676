import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { VERSION } from '../config/index.js';
import type { PlatformSettings } from '../config/index.js';
import { scrub } from './scrub.js';

/** Nest token of this process's {@link Logger}. */
export const LOGGER = Symbol('LOGGER');

/**
 * Creates the logger of one process: one JSON object per line on standard output, with `time`,
 * `level`, `process`, `version`. Tokens, secrets and message texts are replaced at any depth (see
 * `scrub`).
 *
 * @param processName `api` or `worker`
 * @param destination for tests; default standard output, written without blocking the process
 */
export function createLogger(
  settings: Pick<PlatformSettings, 'logLevel'>,
  processName: string,
  destination: DestinationStream = bufferedStdout(),
): Logger {
  return pino(
    {
      level: settings.logLevel,
      base: { process: processName, version: VERSION },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (entry) => scrub(entry) as Record<string, unknown>,
      },
      // Errors are already described by `scrub`; Fastify's request and response are never logged
      // whole.
      serializers: { err: (error: unknown) => error, req: () => undefined, res: () => undefined },
    },
    destination,
  );
}

/**
 * Lines are buffered up to this many bytes or for this long: a system call for each would slow
 * requests down.
 */
const BUFFER_BYTES = 8192;
const FLUSH_MS = 100;

function bufferedStdout(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES });
  setInterval(() => stream.flush(), FLUSH_MS).unref();
  return stream;
}
