import path from 'node:path';
import { eventually } from '../eventually.js';
import { ChildProgram } from './child-program.js';

const run = (script: string): ChildProgram =>
  new ChildProgram(process.execPath, ['--input-type=module', '-e', script]);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a program ends with the process that started it, even if that is killed', async () => {
  const built = path.resolve(import.meta.dirname, '../../dist/processes/child-program.js');
  const starter = run(`
    import { ChildProgram } from ${JSON.stringify(built)};
    const sleeper = new ChildProgram(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)']);
    await sleeper.hasWritten(/\\d+\\n/);
    console.log(\`sleeper \${sleeper.output}\`);
  `);
  await starter.hasWritten(/sleeper \d+\n/);
  const sleeper = Number(/sleeper (\d+)/.exec(starter.output)?.[1]);
  expect(isAlive(sleeper)).toBe(true);
  expect(await starter.end()).toBeNull();
  await eventually(() => !isAlive(sleeper));
});

test('waiting for output of a program that ends without it throws with all its output', async () => {
  const failing = run(`console.log('begun'); throw new Error('no such port')`);
  await expect(failing.hasWritten(/ready/)).rejects.toThrow(/begun[\s\S]*no such port/);
  expect(await failing.exited).toBe(1);
});

test('a missing program counts as ended', async () => {
  const missing = new ChildProgram('/no/such/program', []);
  await expect(missing.hasWritten(/ready/)).rejects.toThrow(/ENOENT/);
});
