/** Fails a run in which an error was caught by no test (realm/strays.mjs). */
import { openStrays, takeStrays } from './realm/strays.mjs';

export default class StraysReporter {
  strays = [];

  onRunStart() {
    openStrays();
  }

  onRunComplete() {
    this.strays = takeStrays();
  }

  /** With an error of a reporter Jest fails the run. */
  getLastError() {
    const { length } = this.strays;
    return length > 0 ? new Error(`${length} errors that no test caught, see above`) : undefined;
  }
}
