/** Bus channel on which workers announce that test sends have ended. Messages are their ids. */
export const TRIALS = 'trials';
