import { fileURLToPath } from 'node:url';
import { ChildProgram } from '@tieline/testing';

/** Starts a program of `examples` like a user, and waits until it reports that it is ready. */
export async function startExample(
  script: string,
  env: Record<string, string>,
  flags: string[] = [],
): Promise<ChildProgram> {
  const example = new ChildProgram(process.execPath, [...flags, pathOf(script)], { env });
  await example.hasWritten(/\bready\b/);
  return example;
}

/** Returns the path of a file in `examples`. */
export const pathOf = (script: string): string =>
  fileURLToPath(new URL(`../../../../examples/${script}`, import.meta.url));
