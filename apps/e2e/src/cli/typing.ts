/** Simulates typing: each line can be read immediately. */
export class Typing implements AsyncIterable<string> {
  private readonly lines: string[] = [];
  private wake: () => void = () => undefined;
  private isOver = false;

  type(line: string): void {
    this.lines.push(line);
    this.wake();
  }

  /** Closes the input. */
  end(): void {
    this.isOver = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const line = this.lines.shift();
      if (line !== undefined) yield line;
      else if (this.isOver) return;
      else await new Promise<void>((resume) => (this.wake = resume));
    }
  }
}
