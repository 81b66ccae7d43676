/**
 * Uploads a file to its store.
 *
 * @returns its id
 */
export type Upload = (
  file: File,
  sending: { signal: AbortSignal; onProgress: (part: number) => void },
) => Promise<string>;

/** A file of the next message. */
export interface ChosenFile {
  key: string;
  file: File;
  /** Upload progress from 0 to 1. */
  part: number;
  /** Set when the upload has finished. */
  id?: string;
  failure?: unknown;
}

/** Maximum number of files in a message: docs/files.md. */
export const MOST_FILES = 15;
/** Concurrent uploads. The others wait. */
const AT_ONCE = 3;

/** Uploads the files chosen for a message. Removing a file aborts its upload. */
export class Uploads {
  private files: readonly ChosenFile[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly underWay = new Map<string, AbortController>();

  constructor(private readonly upload: Upload) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly ChosenFile[] => this.files;

  /** @returns false if some files exceed the limit of a message */
  add(files: readonly File[]): boolean {
    const room = MOST_FILES - this.files.length;
    const made = files.slice(0, room).map((file) => ({ key: crypto.randomUUID(), file, part: 0 }));
    this.set([...this.files, ...made]);
    this.begin();
    return files.length <= room;
  }

  /** Retries a failed upload. */
  retry(key: string): void {
    this.set(this.files.map((one) => (one.key === key ? { key, file: one.file, part: 0 } : one)));
    this.begin();
  }

  remove(key: string): void {
    this.underWay.get(key)?.abort();
    this.set(this.files.filter((one) => one.key !== key));
  }

  /** Removes and returns all files, or returns undefined while one is not ready. */
  take(): readonly { id: string; name: string }[] | undefined {
    const ready = this.files.flatMap(({ id, file }) => (id === undefined ? [] : [{ id, name: file.name }]));
    if (ready.length < this.files.length) return undefined;
    this.set([]);
    return ready;
  }

  /** Aborts all uploads. */
  close(): void {
    for (const cancel of this.underWay.values()) cancel.abort();
    this.set([]);
  }

  private begin(): void {
    const waiting = this.files.filter(
      ({ key, id, failure }) => id === undefined && failure === undefined && !this.underWay.has(key),
    );
    for (const one of waiting.slice(0, AT_ONCE - this.underWay.size)) void this.send(one);
  }

  private async send({ key, file }: ChosenFile): Promise<void> {
    const cancel = new AbortController();
    this.underWay.set(key, cancel);
    try {
      const onProgress = (part: number) => this.change(key, { part });
      const id = await this.upload(file, { signal: cancel.signal, onProgress });
      this.change(key, { id, part: 1 });
    } catch (failure) {
      this.change(key, { failure });
    } finally {
      this.underWay.delete(key);
      this.begin();
    }
  }

  /** Ignores files removed in the meantime. */
  private change(key: string, some: Partial<ChosenFile>): void {
    this.set(this.files.map((one) => (one.key === key ? { ...one, ...some } : one)));
  }

  private set(files: readonly ChosenFile[]): void {
    this.files = files;
    for (const listener of this.listeners) listener();
  }
}
