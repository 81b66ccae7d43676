/** Bus channel on which workers tell that test sends have ended. Its messages are their ids. */
export const TRIALS = 'trials';
