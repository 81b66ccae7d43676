/** Reads typed values from environment variables and collects every problem, so that all can be shown together. */
export class EnvReader {
  readonly problems: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** The value with surrounding white space removed, or undefined when unset or empty. */
  optional(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** True when the variable is present, even with an empty value ("set but empty means none"). */
  isSet(name: string): boolean {
    return this.env[name] !== undefined;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  required(name: string, why: string): string {
    const value = this.optional(name);
    if (value === undefined) this.problems.push(`${name} is required: ${why}`);
    return value ?? '';
  }

  int(name: string, fallback: number, min: number, max: number): number {
    const raw = this.optional(name);
    if (raw === undefined) return fallback;
    const value = /^\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
    return fallback;
  }

  bool(name: string, fallback: boolean): boolean {
    const raw = this.optional(name)?.toLowerCase();
    if (raw === undefined) return fallback;
    if (['true', '1', 'yes', 'on'].includes(raw)) return true;
    if (['false', '0', 'no', 'off'].includes(raw)) return false;
    this.problems.push(`${name} must be true or false, not "${raw}"`);
    return fallback;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const raw = this.optional(name);
    if (raw === undefined) return fallback;
    const found = allowed.find((value) => value === raw);
    if (found === undefined) this.problems.push(`${name} must be one of ${allowed.join(', ')}, not "${raw}"`);
    return found ?? fallback;
  }

  url(name: string, value: string | undefined, protocols: readonly string[]): void {
    if (value === undefined || value === '') return;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol)) {
      this.problems.push(
        `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      );
    }
  }

  list(name: string, fallback: string[]): string[] {
    if (!this.isSet(name)) return fallback;
    return (this.env[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}
