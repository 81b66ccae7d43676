/**
 * The environment of a test file: the process itself, without a separate context. Modules are
 * loaded once for all files of a run, so everything a file may change in the process is restored
 * when it ends.
 */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const FRAMES = 100;

export default class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      console: globalThis.console,
      exit: process.exit,
      directory: process.cwd(),
      variables: { ...process.env },
    };
    Error.stackTraceLimit = FRAMES;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    process.chdir(this.before.directory);
    restoreVariables(this.before.variables);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest insists on the method. */
  getVmContext() {
    return null;
  }
}

function restoreVariables(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  for (const [name, value] of Object.entries(before))
    if (process.env[name] !== value) process.env[name] = value;
}
