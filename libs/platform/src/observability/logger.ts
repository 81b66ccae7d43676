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

/** The part of a stream of `pino.destination` that {@link flushSoon} uses. */
interface BufferedStream extends DestinationStream {
  flush(): void;
  on(event: 'drain', listener: () => void): unknown;
}

function bufferedStdout(): DestinationStream {
  return flushSoon(pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES }));
}

/**
 * Returns a destination whose lines are flushed after at most {@link FLUSH_MS}. A process that logs
 * nothing is not woken. A flush has no effect while earlier lines are being written, so another one
 * follows them.
 */
export function flushSoon(stream: BufferedStream): DestinationStream {
  let isNewSinceDrain = false;
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      stream.flush();
    }, FLUSH_MS).unref();
  };
  stream.on('drain', () => {
    if (!isNewSinceDrain) return;
    isNewSinceDrain = false;
    schedule();
  });
  return {
    write: (line) => {
      stream.write(line);
      isNewSinceDrain = true;
      schedule();
    },
  };
}
