import type { ReadingOptions } from '../../read-message.js';
import { readMessage } from '../../read-message.js';
import { Payload } from '../../message/payload.js';
import type { NativeKeys } from '../parts/native-keys.js';
import { nativeFormatOf } from '../registry.js';

/** A visible message, without the severity in its metadata. */
export interface ShownMessage extends Record<string, unknown> {
  lines: string[];
  severity: string;
  buttons?: { text: string; url: string }[];
}

/** Returns the visible message of a body. */
export function shown(body: unknown, options: ReadingOptions = {}): ShownMessage {
  const parsed = readMessage(body, options);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { text, severity, metadata } = parsed.message;
  const { severity: _severity, ...rich } = (metadata ?? {}) as Record<string, unknown>;
  return { lines: text.split('\n'), severity, ...rich };
}

/** Returns the sender's own keys of a body in a native format. */
export function keysOf(body: object): NativeKeys {
  const payload = new Payload(body);
  const format = nativeFormatOf(payload);
  if (!format) throw new Error('no format');
  return format.keys?.(payload) ?? {};
}

/**
 * Tests the lines, the severity and the address of the first button of each body, and that its
 * texts mention no one.
 */
export function testMessages(
  messages: [name: string, body: object, lines: string[], severity: string, address: string | undefined][],
): void {
  test.each(messages)('%s', (_name, body, lines, severity, address) => {
    const message = shown(body);
    const { lines: wereShown, severity: was, buttons } = message;
    expect({ lines: wereShown, severity: was, address: buttons?.[0]?.url }).toEqual({
      lines,
      severity,
      address,
    });
  });

  test.each(messages)('%s: mentions nobody and is escaped', (_name, body) => {
    const hostile = JSON.parse(JSON.stringify(body).replaceAll('main', '@channel <!here> *x*')) as object;
    expect(readMessage(hostile)).toMatchObject({
      message: { mentions: [], mentionsChannel: false, mentionsHere: false },
    });
  });
}

/** Tests the sender's own keys of each body. */
export function testKeys(keys: [name: string, body: object, keys: object][]): void {
  test.each(keys)('%s', (_name, body, expected) => expect(keysOf(body)).toEqual(expected));
}
