import { ApiError } from '@tieline/platform/http';

/** Thrown when a bot's answer cannot be used. The message says why, for admins. */
export class UnusableAnswerError extends Error {}

/**
 * Reads or applies a bot's answer. An {@link ApiError} becomes an {@link UnusableAnswerError},
 * because the bot is at fault and not the waiting person.
 * @param isBotsFault which errors to convert; by default all
 */
export async function judgeAnswer<T>(
  work: () => T | Promise<T>,
  isBotsFault: (error: ApiError) => boolean = () => true,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError && isBotsFault(error) ? new UnusableAnswerError(error.text) : error;
  }
}
