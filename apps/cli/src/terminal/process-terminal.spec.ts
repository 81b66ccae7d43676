import { PassThrough } from 'node:stream';
import { Printer } from '../output/printer.js';
import { ProcessTerminal } from './process-terminal.js';

/**
 * All control characters, and sequences that set the title, clear the screen and write the
 * clipboard.
 */
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((one) => /[\u0000-\u001f\u007f-\u009f]/.test(one))
  .join('');
const HOSTILE = `\u001b]0;title\u0007\u001b[2J\u001b]52;c;Y3VybA==\u0007\u009b31m${CONTROLS}`;
/** Control characters except tab and line feed, which may be part of a text. */
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function open(isTTY = false) {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  const terminal = new ProcessTerminal({ stdout, stderr } as never);
  const written = (): string => `${stdout.read() ?? ''}${stderr.read() ?? ''}`;
  return { terminal, written };
}

/** Hostile arguments for each method of a printer. */
const CALLS: Readonly<Record<string, unknown[][]>> = {
  list: [
    [[{ name: HOSTILE }], [{ title: HOSTILE, of: ({ name }: { name: string }) => name }]],
    [[], [], HOSTILE],
  ],
  show: [[{ [HOSTILE]: HOSTILE, list: [HOSTILE], object: { a: HOSTILE } }]],
  event: [[{ text: HOSTILE }, HOSTILE]],
  done: [[{ text: HOSTILE }, HOSTILE]],
  note: [[HOSTILE]],
  failure: [[{ message: HOSTILE, requestId: HOSTILE, hint: HOSTILE, code: HOSTILE, exitCode: 1 }]],
};
const METHODS = Object.getOwnPropertyNames(Printer.prototype).filter((name) => name !== 'constructor');

test('every method of the printer is covered', () => {
  expect(Object.keys(CALLS).sort()).toEqual([...METHODS].sort());
});

describe.each(METHODS)('%s', (name) => {
  test.each([false, true])('removes control characters from texts of others, with --json: %s', (isJson) => {
    for (const call of CALLS[name] ?? []) {
      const { terminal, written } = open();
      const printer = new Printer(terminal, isJson) as unknown as Record<
        string,
        (...given: unknown[]) => void
      >;
      printer[name]!(...call);
      const output = written();
      expect(output).not.toBe('');
      expect(output).not.toMatch(STEERING);
    }
  });
});

test('with --json programs read the same text', () => {
  const { terminal, written } = open();
  new Printer(terminal, true).show({ text: HOSTILE });
  expect(JSON.parse(written())).toEqual({ text: HOSTILE });
});

test('an event is always one line', () => {
  const { terminal, written } = open();
  new Printer(terminal, false).event({}, '10:00 message.new  hi\n10:01 owner.left  forged');
  expect(written()).toBe('10:00 message.new  hi\\n10:01 owner.left  forged\n');
});

test('progress lines contain no control characters of others', () => {
  const { terminal, written } = open(true);
  terminal.progress(HOSTILE);
  terminal.out('done');
  expect(written().replaceAll('\r\u001b[K', '')).not.toMatch(STEERING);
});
