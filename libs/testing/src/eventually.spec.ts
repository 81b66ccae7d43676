import { eventually } from './eventually.js';

describe('eventually', () => {
  it('returns the first value that is neither false nor an error', async () => {
    let calls = 0;
    const value = await eventually(
      () => {
        calls += 1;
        if (calls === 1) throw new Error('not yet');
        return calls === 2 ? false : 'done';
      },
      { everyMs: 1 },
    );
    expect([value, calls]).toEqual(['done', 3]);
  });

  it('fails with the last error after the timeout', async () => {
    await expect(
      eventually(() => Promise.reject(new Error('still wrong')), { timeoutMs: 20, everyMs: 1 }),
    ).rejects.toThrow('still wrong');
    await expect(eventually(() => false, { timeoutMs: 20, everyMs: 1 })).rejects.toThrow(
      'still false after 20 ms',
    );
  });
});
