import { fileURLToPath } from 'node:url';
import { ChildProgram } from '@tieline/testing';

/** Starts a program of `examples`, as people start it, and waits until it says that it is ready. */
export async function startExample(
  script: string,
  env: Record<string, string>,
  flags: string[] = [],
): Promise<ChildProgram> {
  const example = new ChildProgram(process.execPath, [...flags, pathOf(script)], { env });
  await example.hasWritten(/\bready\b/);
  return example;
}

/** Where a file of `examples` is. */
export const pathOf = (script: string): string =>
  fileURLToPath(new URL(`../../../../examples/${script}`, import.meta.url));
