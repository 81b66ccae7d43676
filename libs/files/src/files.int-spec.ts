import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { FilesHarness, follow, sendBytes, startFilesApi, TestStorage } from './testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HELLO = Buffer.from('hello');
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('000002800000016808060000000b0c0d0e', 'hex'),
  Buffer.alloc(40),
]);

describe.each(['local', 's3'] as const)('files in %s storage', (driver) => {
  let storage: TestStorage;
  let api: TestApi;
  let harness: FilesHarness;

  beforeAll(async () => {
    storage = await TestStorage.start(driver);
    api = await startFilesApi(storage, { FILE_MAX_BYTES: '1000' });
  });
  beforeEach(async () => {
    harness = await FilesHarness.of(api);
  });
  afterAll(async () => {
    await api?.close();
    await storage?.close();
  });

  async function uploaded(bytes: Buffer, body: Record<string, unknown> = {}): Promise<string> {
    const { body: answer } = await harness.session({ file_size: bytes.length, ...body });
    expect((await sendBytes(api, answer.upload, bytes)).status).toBe(200);
    return answer.file.file_id;
  }

  const stored = async (id: string): Promise<Record<string, unknown>> =>
    (
      await api.db.query('SELECT status, mime_type, file_type, width, height FROM files WHERE id = $1', [id])
    )[0] as Record<string, unknown>;

  test('a session returns where and how to send the bytes, and the file', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await harness.session({
      file_name: 'Bericht "Q3".pdf',
      mime_type: 'Application/PDF; version=1.7',
    });
    const { upload, file } = body;
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        upload: {
          file_id: file.file_id,
          upload_url: expect.stringMatching(/^http/),
          method: 'PUT',
          headers: expect.objectContaining({ 'content-type': 'application/pdf' }),
          expires_at: expect.any(Number),
        },
        file: {
          file_id: expect.stringMatching(UUID),
          conversation_id: harness.channel,
          message_id: '',
          file_type: 'document',
          file_name: 'Bericht "Q3".pdf',
          mime_type: 'application/pdf',
          file_size: 5,
          status: 'uploading',
          created_at_unix: expect.any(Number),
          width: 0,
          height: 0,
        },
      },
    ]);
    expect(upload.expires_at - before).toBeGreaterThanOrEqual(900);
    expect(upload.expires_at - before).toBeLessThanOrEqual(902);
    expect(Math.abs(file.created_at_unix - before)).toBeLessThanOrEqual(2);
  });

  test('from session to download', async () => {
    const id = await uploaded(HELLO);
    expect((await harness.download(id)).body).toEqual({ error: 'file not ready' });
    expect(await harness.confirm(id.toUpperCase(), harness.channel.toUpperCase())).toMatchObject({
      status: 200,
      body: { ok: true, file: { file_id: id, status: 'ready' } },
    });
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await harness.download(id);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        file_id: id,
        download_url: expect.any(String),
        expires_at: expect.any(Number),
        file: { file_id: id, status: 'ready' },
      },
    ]);
    expect(body.expires_at - before).toBeGreaterThanOrEqual(300);
    expect(body.expires_at - before).toBeLessThanOrEqual(302);
    const got = await follow(api, body.download_url);
    expect([got.status, await got.text(), got.headers.get('content-disposition')]).toEqual([
      200,
      'hello',
      expect.stringContaining('filename="report.pdf"'),
    ]);
  });

  test('gets 400 before the upload, and succeeds afterwards', async () => {
    const { body } = await harness.session();
    expect(await harness.confirm(body.file.file_id)).toMatchObject({
      status: 400,
      body: { error: 'file not uploaded' },
    });
    await sendBytes(api, body.upload, HELLO);
    expect((await harness.confirm(body.file.file_id)).status).toBe(200);
  });

  test('confirming again succeeds, also concurrently', async () => {
    const id = await uploaded(HELLO);
    const responses = await Promise.all(Array.from({ length: 10 }, () => harness.confirm(id)));
    expect(responses.map(({ status, body }: TestAnswer) => [status, body.file])).toEqual(
      Array.from({ length: 10 }, () => [200, { file_id: id, status: 'ready' }]),
    );
    expect((await harness.confirm(id)).status).toBe(200);
  });

  test('gets 400, also when repeated, if the bytes differ from the declared size', async () => {
    const { body } = await harness.session({ file_size: 6 });
    // Storage that signs the length accepts nothing else, so the object is written with the storage
    // keys.
    await harness.files().storage.put(
      `${harness.space.spaceId}/${body.file.file_id}`,
      (async function* () {
        yield HELLO;
      })(),
      { maxBytes: 10 },
    );
    for (let n = 0; n < 2; n += 1) {
      expect(await harness.confirm(body.file.file_id)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('size') },
      });
    }
    expect(await stored(body.file.file_id)).toMatchObject({ status: 'uploading' });
    expect((await harness.download(body.file.file_id)).status).toBe(400);
    await harness.files().loseBytes(body.file.file_id);
    await sendBytes(api, body.upload, Buffer.from('hello!'));
    expect((await harness.confirm(body.file.file_id)).status).toBe(400);
  });

  test('a ready file is never overwritten', async () => {
    const { body } = await harness.session();
    await sendBytes(api, body.upload, HELLO);
    await harness.confirm(body.file.file_id);
    expect([403, 412]).toContain((await sendBytes(api, body.upload, Buffer.from('other'))).status);
    expect(
      await (await follow(api, (await harness.download(body.file.file_id)).body.download_url)).text(),
    ).toBe('hello');
  });

  test.each<[string, Buffer, string, Record<string, unknown>]>([
    [
      'the size of an image is read',
      PNG,
      'image/png',
      { mime_type: 'image/png', file_type: 'image', width: 640, height: 360 },
    ],
    [
      'the type of generic bytes is detected',
      PNG,
      'application/octet-stream',
      { mime_type: 'image/png', file_type: 'image', width: 640, height: 360 },
    ],
    [
      'also for files that are not images',
      Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'),
      'application/octet-stream',
      { mime_type: 'application/pdf', file_type: 'document', width: 0 },
    ],
    [
      'types that may not be uploaded stay generic',
      Buffer.concat([Buffer.from('7f454c460201', 'hex'), Buffer.alloc(60)]),
      'application/octet-stream',
      { mime_type: 'application/octet-stream', file_type: 'document' },
    ],
    [
      'unknown types stay generic',
      HELLO,
      'application/octet-stream',
      { mime_type: 'application/octet-stream', file_type: 'document' },
    ],
    [
      'a declared type is kept',
      PNG,
      'text/plain',
      { mime_type: 'text/plain', file_type: 'document', width: 0, height: 0 },
    ],
    [
      'a broken image has no size',
      HELLO,
      'image/png',
      { mime_type: 'image/png', file_type: 'image', width: 0, height: 0 },
    ],
    [
      'an image of another format has no size',
      Buffer.from('<svg width="5" height="5"/>'),
      'image/svg+xml',
      { mime_type: 'image/svg+xml', file_type: 'image', width: 0, height: 0 },
    ],
  ])('%s', async (_, bytes, mimeType, expected) => {
    const id = await uploaded(bytes, { mime_type: mimeType });
    expect((await harness.confirm(id)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ status: 'ready', ...expected });
  });

  if (driver === 's3') {
    test('while storage is down, confirming gets 503 and links are still created', async () => {
      const id = await uploaded(HELLO);
      await storage.server!.stop();
      try {
        expect(await harness.confirm(id)).toMatchObject({
          status: 503,
          body: { error: 'service unavailable' },
        });
        expect((await harness.session()).status).toBe(200);
      } finally {
        await storage.server!.start();
      }
      expect((await harness.confirm(id)).status).toBe(200);
    });
  }

  test('no response reveals where the bytes are, except in the link', async () => {
    const { body } = await harness.session();
    await sendBytes(api, body.upload, HELLO);
    const answers = [
      { ...body, upload: { ...body.upload, upload_url: '' } },
      (await harness.confirm(body.file.file_id)).body,
      { ...(await harness.download(body.file.file_id)).body, download_url: '' },
    ];
    expect(JSON.stringify(answers)).not.toContain(harness.space.spaceId);
  });
});

test('the size of a JPEG behind 300 KB of profiles is read', async () => {
  const storage = await TestStorage.start();
  const api = await startFilesApi(storage);
  try {
    const harness = await FilesHarness.of(api);
    const segment = Buffer.concat([Buffer.from('ffe2ffff', 'hex'), Buffer.alloc(0xfffd)]);
    const size = Buffer.from('ffc0001108012c019003012200021101031101', 'hex');
    const jpeg = Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      segment,
      segment,
      segment,
      segment,
      segment,
      size,
      Buffer.alloc(300_000),
    ]);
    const { body } = await harness.session({ file_size: jpeg.length, mime_type: 'image/jpeg' });
    await sendBytes(api, body.upload, jpeg);
    expect((await harness.confirm(body.file.file_id)).status).toBe(200);
    const [row] = await api.db.query('SELECT width, height FROM files WHERE id = $1', [body.file.file_id]);
    expect(row).toEqual({ width: 400, height: 300 });
  } finally {
    await api.close();
    await storage.close();
  }
});
