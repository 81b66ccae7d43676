/** Lets one caller wait until it is woken. */
export class WakeUp {
  private wake: (() => void) | undefined;

  /** Ends the current wait. */
  fire(): void {
    this.wake?.();
  }

  /** Resolves when it is woken, or after this time. Without a time, only when it is woken. */
  async wait(ms: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, Math.max(Math.ceil(ms), 0));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}
