import { buffer } from 'node:stream/consumers';
import { fileInForm, formBoundary, MAX_FORM_AROUND_FILE } from './form-file.js';

/** Yields the bytes in pieces of this size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const part = (disposition: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: x/y\r\n\r\n${content}\r\n`;
const FILE = part('name="body"; filename="a.txt"', 'hello');

async function read(form: string, size = 7): Promise<string> {
  return (await buffer(fileInForm(inPieces(Buffer.from(form, 'latin1'), size), 'b'))).toString('latin1');
}

describe('formBoundary', () => {
  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b:c"', 'a b:c'],
    ['multipart/form-data', undefined],
    [`multipart/form-data; boundary=""`, undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['', undefined],
  ])('%s', (contentType, boundary) => expect(formBoundary(contentType)).toBe(boundary));
});

describe('fileInForm', () => {
  test.each(['body', 'file', 'filename'])('reads the file in the field %s', async (name) => {
    expect(await read(`${part(`name="${name}"; filename="a"`, 'hello')}--b--\r\n`)).toBe('hello');
    expect(await read(`${part(`name=${name}; filename*=utf-8''a`, 'hello')}--b--`)).toBe('hello');
  });

  test('reads bytes that look like line breaks and boundaries, however they are divided', async () => {
    const content = '\r\n--\r\n--a\r\n\r\n--\r\n-b\x00\xff\r\n';
    const form = `preamble\r\n${part('name="body"; filename="a"', content)}--b--\r\nepilogue`;
    for (let size = 1; size < 40; size += 1) expect(await read(form, size)).toBe(content);
  });

  test('reads an empty file, and ignores other fields', async () => {
    const others =
      part('name="title"', 'x') + part('name="other"; filename="x"', 'y') + part('name="file"', 'z');
    expect(await read(`${others}${part('name="file"; filename="a"', '')}--b--`)).toBe('');
  });

  test.each([
    ['an empty body', ''],
    ['another boundary', FILE.replaceAll('--b', '--c')],
    ['no end', FILE],
    ['no end of the headers', '--b\r\nContent-Disposition: form-data; name="body"'],
    ['no file', `${part('name="body"', 'hello')}--b--\r\n`],
    ['a file after the last boundary', `--b--\r\n\r\n${FILE}--b--`],
    ['too much before the file', `${'x'.repeat(MAX_FORM_AROUND_FILE)}\r\n${FILE}--b--`],
    ['too long headers', `--b\r\nX: ${'x'.repeat(MAX_FORM_AROUND_FILE)}\r\n\r\n${FILE}--b--`],
  ])('refuses %s', async (_name, form) => {
    await expect(read(form, 1000)).rejects.toMatchObject({ status: 400, code: 'upload_form_malformed' });
  });

  test('stops reading the body when its reader stops', async () => {
    let isClosed = false;
    async function* body(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(FILE.slice(0, -4), 'latin1');
        yield Buffer.from('more', 'latin1');
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of fileInForm(body(), 'b')) break;
    expect(isClosed).toBe(true);
  });
});
