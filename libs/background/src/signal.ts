/** Lets one task wait until another one notifies it or the time is up. */
export class Signal {
  private isNotified = false;
  private wake: (() => void) | undefined;

  /** Ends the wait, or the next one if there is none. */
  notify(): void {
    this.isNotified = true;
    this.wake?.();
  }

  /**
   * Waits for a notification. One that came before the call counts. Allows one wait at a time.
   * @param ms maximum wait in milliseconds, unlimited by default
   * @returns whether it was notified
   */
  async wait(ms = Infinity): Promise<boolean> {
    if (!this.isNotified && ms > 0)
      await new Promise<void>((resolve) => {
        const timer = ms === Infinity ? undefined : setTimeout(resolve, ms).unref();
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const { isNotified } = this;
    this.isNotified = false;
    this.wake = undefined;
    return isNotified;
  }
}
