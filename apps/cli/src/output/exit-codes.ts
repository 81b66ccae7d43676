/** Exit codes: docs/cli.md#exit-codes. */
export const EXIT = {
  ok: 0,
  /** A failure not covered by the other codes. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Not signed in, or not allowed. */
  refused: 3,
  /** The named resource does not exist, or the name is ambiguous. */
  notFound: 4,
  /** Tieline rejected the request: invalid values, a conflict, something expired. */
  rejected: 5,
  /** Tieline does not respond or is unavailable. */
  unreachable: 6,
  /**
   * The command worked, but a check failed: a signature, a receiver, a part of the installation.
   */
  checkFailed: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
