import { GAP_LINE } from './lines.js';
import { Outgoing } from './outgoing.js';

interface Sent {
  lines: string[];
  finish: () => void;
  fail: () => void;
}

function controlled() {
  const sent: Sent[] = [];
  const dropped = { outage: 0, overload: 0 };
  const outgoing = new Outgoing(
    (lines) =>
      new Promise((resolve, reject) =>
        sent.push({ lines, finish: resolve, fail: () => reject(new Error('lost')) }),
      ),
    (count, reason) => {
      dropped[reason] += count;
    },
  );
  return { outgoing, sent, dropped };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Outgoing', () => {
  it('sends messages of one event loop turn together, and later ones as the next batch', async () => {
    const { outgoing, sent } = controlled();
    outgoing.open();
    outgoing.push('a');
    outgoing.push('b');
    await turn();
    outgoing.push('c');
    outgoing.push('d');
    await turn();
    expect(sent.map(({ lines }) => lines)).toEqual([['a', 'b']]);
    sent[0]?.finish();
    await turn();
    expect(sent[1]?.lines).toEqual(['c', 'd']);
    sent[1]?.finish();
    await outgoing.flushed();
  });

  it('sends messages published by promises of one turn together', async () => {
    const { outgoing, sent } = controlled();
    outgoing.open();
    outgoing.push('told by the commit');
    for (let promises = 0; promises < 10; promises += 1) await Promise.resolve();
    outgoing.push('told by whoever waited for it');
    await turn();
    expect(sent.map(({ lines }) => lines)).toEqual([['told by the commit', 'told by whoever waited for it']]);
    sent[0]?.finish();
    await outgoing.flushed();
  });

  it('drops and counts messages during an outage, and notifies receivers first afterwards', async () => {
    const { outgoing, sent, dropped } = controlled();
    for (let n = 0; n < 100_000; n += 1) outgoing.push(`line ${n}`);
    expect(dropped.outage).toBe(100_000);
    outgoing.open();
    await turn();
    expect(sent.map(({ lines }) => lines)).toEqual([[GAP_LINE]]);
  });

  it('drops waiting messages when the connection closes, and never repeats a failed batch', async () => {
    const { outgoing, sent, dropped } = controlled();
    outgoing.open();
    outgoing.push('a');
    await turn();
    outgoing.push('b');
    sent[0]?.fail();
    await turn();
    outgoing.push('c');
    expect(dropped.outage).toBe(3);
    outgoing.open();
    outgoing.push('d');
    await turn();
    expect(sent[1]?.lines).toEqual([GAP_LINE, 'd']);
  });

  it('keeps a bounded number of lines and characters while a batch is under way', async () => {
    const { outgoing, sent, dropped } = controlled();
    outgoing.open();
    outgoing.push('first');
    await turn();
    for (let n = 0; n < 10_500; n += 1) outgoing.push('x');
    expect(dropped.overload).toBe(500);
    sent[0]?.finish();
    await turn();
    expect(sent[1]?.lines).toHaveLength(501);
    expect(sent[1]?.lines[0]).toBe(GAP_LINE);
    for (let n = 0; n < 40; n += 1) outgoing.push('y'.repeat(1_000_000));
    expect(dropped.overload).toBeGreaterThan(500 + 20);
  });
});
