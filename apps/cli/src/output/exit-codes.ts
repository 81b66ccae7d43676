/** How a command ends, for programs that run it. docs/cli.md lists the same. */
export const EXIT = {
  ok: 0,
  /** Something went wrong that none of the others says. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Nobody is signed in, or who is may not do this. */
  refused: 3,
  /** What was named does not exist, or the name fits several. */
  notFound: 4,
  /** Tieline judged the request: wrong values, a conflict, something expired. */
  rejected: 5,
  /** Tieline does not answer, or says that it cannot now. */
  unreachable: 6,
  /**
   * It worked, and what was checked is not right: a signature, a receiver, a part of the
   * installation.
   */
  checkFailed: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
