import { TielineError } from '@tieline/sdk';
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';

/** An expected failure with a message and a hint. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.failed,
    /** What the user can do about it. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The report of a failure: lines for people, an object and an exit code for programs. */
export interface FailureReport {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly code: string;
  readonly field?: string;
  readonly requestId?: string;
  readonly hint?: string;
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.refused,
  403: EXIT.refused,
  404: EXIT.notFound,
  429: EXIT.unreachable,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

/** Converts any error to a message and an exit code. */
export function reportFailure(error: unknown): FailureReport {
  if (error instanceof Failure)
    return {
      exitCode: error.exitCode,
      message: error.message,
      code: codeOf(error.exitCode),
      hint: error.hint,
    };
  if (error instanceof TielineError) return tellAnswer(error);
  if (error instanceof CommanderError)
    return { exitCode: EXIT.usage, message: error.message.replace(/^error: /, ''), code: 'usage' };
  if (error instanceof Error && error.name === 'AbortError')
    return { exitCode: EXIT.interrupted, message: 'interrupted', code: 'interrupted' };
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (code === 'ENOENT' && typeof path === 'string')
    return { exitCode: EXIT.notFound, message: `there is no file ${path}`, code: codeOf(EXIT.notFound) };
  return {
    exitCode: EXIT.failed,
    message: error instanceof Error ? error.message : String(error),
    code: 'failed',
  };
}

function tellAnswer(error: TielineError): FailureReport {
  const exitCode = error.status === 0 ? EXIT.unreachable : (BY_STATUS[error.status] ?? EXIT.rejected);
  return {
    exitCode: error.status >= 500 && exitCode === EXIT.rejected ? EXIT.failed : exitCode,
    message: error.message,
    code: error.code,
    field: error.field,
    requestId: error.requestId,
    hint: hintFor(error),
  };
}

function hintFor({ status, code, body }: TielineError): string | undefined {
  if (code === 'insufficient_scope' && (body as { required?: unknown }).required === 'all')
    return 'a sign-in in the browser has no rights of an admin: `tieline login --token` stores a token that has';
  if (status === 0) return 'is Tieline running there? `tieline doctor` looks at it';
  if (status === 401) return 'the token is not (or no longer) valid: `tieline login`';
  if (status === 403) return 'you are not allowed to do this: `tieline whoami` shows who you are';
  return undefined;
}

const codeOf = (exitCode: ExitCode): string =>
  (Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0] ?? 'failed').replace(
    /[A-Z]/g,
    (letter) => `_${letter.toLowerCase()}`,
  );
