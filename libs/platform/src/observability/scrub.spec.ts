import { scrub } from './scrub.js';

describe('scrub', () => {
  it('hides secrets and texts of people at any depth', () => {
    const entry = {
      request_id: 'r1',
      headers: { authorization: 'Bearer tlb_abc', accept: '*/*', cookie: 'a=b' },
      bot: {
        token: 'tlb_x',
        webhook_signing_secret: 'whsec_x',
        list: [{ signed_token: 's', password: 'p' }],
      },
      message: { text: 'private', content: { a: 1 }, msg_index: 7 },
    };
    expect(scrub(entry)).toEqual({
      request_id: 'r1',
      headers: { authorization: '[hidden]', accept: '*/*', cookie: '[hidden]' },
      bot: {
        token: '[hidden]',
        webhook_signing_secret: '[hidden]',
        list: [{ signed_token: '[hidden]', password: '[hidden]' }],
      },
      message: { text: '[hidden]', content: '[hidden]', msg_index: 7 },
    });
  });

  it('keeps counts and flags', () => {
    expect(scrub({ token_count: 3, has_text: true, secret: null, text: undefined })).toEqual({
      token_count: 3,
      has_text: true,
      secret: null,
    });
  });

  it('leaves out what the database says about the values of a row', () => {
    const error = Object.assign(new Error('violates check'), {
      code: '23514',
      detail: 'Failing row contains (private)',
      query: 'INSERT',
      parameters: ['private'],
    });
    const described = scrub({ err: new Error('outer', { cause: error }) }) as {
      err: Record<string, unknown>;
    };
    expect(described.err).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { message: 'violates check', code: '23514' },
    });
    expect(JSON.stringify(described)).not.toContain('private');
  });

  it('shows only class and code of errors about a value', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "private"'), {
      code: '22P02',
    });
    expect(scrub({ err: new Error('outer', { cause: error }) })).toMatchObject({
      err: { cause: { type: 'Error', code: '22P02' } },
    });
    expect(JSON.stringify(scrub({ err: error }))).not.toContain('private');
  });

  it('is bounded and always serializable as JSON', () => {
    const circle: Record<string, unknown> = {
      big: 10n,
      bytes: Buffer.from('abc'),
      at: new Date(0),
      many: Array.from({ length: 1_000 }, () => 1),
    };
    circle.self = circle;
    const text = JSON.stringify(scrub(circle));
    expect(text).toContain('[deep]');
    expect(text).toContain('"[3 bytes]"');
    expect(text.length).toBeLessThan(5_000);
  });
});
