/** Thrown when variables are missing or wrong; `problems` names each of them. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Configuration problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** The environment variables of a process, as text. Settings classes read them. */
export class Environment {
  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** Returns the trimmed value, or undefined when unset or empty. */
  given(name: string): string | undefined {
    const value = this.variables[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** Returns the parts of a comma-separated list; an empty list when unset or empty. */
  list(name: string): string[] {
    return (this.variables[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}
