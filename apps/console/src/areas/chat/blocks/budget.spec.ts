import fc from 'fast-check';
import { withinBudget } from './budget.js';
import { readMetadata } from './metadata.js';
import { fromSender } from './sender-content.js';

const PART = 'word *b* `c` | d\n';
const table = `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'|\n'.repeat(1300)}`;
const texts = fc.oneof(
  fc.integer({ min: 0, max: 180 }).map((times) => PART.repeat(times)),
  fc.constant(table),
  fc.string({ maxLength: 200 }),
);
const element = fc.oneof(
  fc.record({ type: fc.constant('button'), action_id: fc.string(), text: texts }),
  fc.record({ type: fc.constant('mrkdwn'), text: texts }),
);
const block = fc.record({
  type: fc.constantFrom('section', 'header', 'context', 'actions', 'image', 'other'),
  text: fc.record({ type: fc.constantFrom('mrkdwn', 'plain_text'), text: texts }),
  fields: fc.array(fc.record({ type: fc.constant('mrkdwn'), text: texts }), { maxLength: 10 }),
  elements: fc.array(element, { maxLength: 10 }),
});
const attachment = fc.record({
  text: texts,
  pretext: texts,
  title: fc.string(),
  fields: fc.array(fc.record({ title: fc.string(), value: texts }), { maxLength: 40 }),
  blocks: fc.array(block, { maxLength: 10 }),
});
const metadata = fc.record({
  blocks: fc.array(block, { maxLength: 50 }),
  attachments: fc.array(attachment, { maxLength: 100 }),
  buttons: fc.array(fc.record({ text: fc.string(), url: fc.constant('https://a.example') }), {
    maxLength: 2000,
  }),
});

test('blocks, attachments and buttons of a message stay within 2,000 nodes in total', () => {
  fc.assert(
    fc.property(texts, metadata, (text, parts) => {
      const content = readMetadata(JSON.stringify(parts));
      const drawn = withinBudget(text, content);
      // The rendered part fits the budget again, and the rest is text.
      const again = withinBudget(text, drawn);
      expect(again).toMatchObject({ ...drawn, rest: '' });
      const isWhole =
        drawn.blocks.length === content.blocks.length &&
        drawn.attachments.length === content.attachments.length &&
        drawn.buttons.length === content.buttons.length;
      expect(isWhole || drawn.blocks.length + drawn.attachments.length + drawn.buttons.length < 700).toBe(
        true,
      );
    }),
    { numRuns: 60 },
  );
});

test('texts of parts that do not fit are shown as plain text', () => {
  const fields = Array.from({ length: 30 }, (_none, n) => ({ title: `name ${n}`, value: `value ${n}` }));
  const attachments = Array.from({ length: 40 }, (_none, n) => ({
    title: `alert ${n}`,
    text: `text ${n}`,
    fields,
  }));
  const drawn = withinBudget('', readMetadata(JSON.stringify({ attachments })));
  expect(drawn.attachments.length).toBeGreaterThan(3);
  expect(drawn.attachments.length).toBeLessThan(20);
  expect(drawn.rest).toContain('alert 39\ntext 39\nname 0\nvalue 0');
});

test('an ordinary alert is rendered completely', () => {
  const content = readMetadata(
    JSON.stringify({
      attachments: [
        { color: 'danger', title: 'Disk full', text: 'on *db1*', fields: [{ title: 'a', value: 'b' }] },
      ],
    }),
  );
  expect(withinBudget('Disk full', content)).toEqual({ ...content, rest: '' });
});

describe("Slack's markup", () => {
  const shown = (parts: object) => fromSender(readMetadata(JSON.stringify(parts)));

  test('is Markdown in attachments (mattermost#2958, rocketchat#2298)', () => {
    const text = '*Build* <https://ci.example/job/1|#12> failed for <!here> ~old~';
    const { attachments } = shown({
      attachments: [{ pretext: text, text, fields: [{ title: 'a &amp; b', value: text }] }],
    });
    const markdown = '**Build** [#12](https://ci.example/job/1) failed for @here ~~old~~';
    expect(attachments).toMatchObject([
      { pretext: markdown, text: markdown, fields: [{ title: 'a & b', value: markdown }] },
    ]);
  });

  test('is Markdown in sections and context, and plain texts stay literal (mattermost#1868, rocketchat#7079)', () => {
    const { blocks } = shown({
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '*not bold* &lt;1&gt;' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*bold*' },
          fields: [{ type: 'mrkdwn', text: '_it_' }],
        },
        { type: 'context', elements: [{ type: 'mrkdwn', text: '<https://a.example|label>' }] },
      ],
    });
    expect(blocks).toMatchObject([
      { text: { text: '*not bold* <1>' } },
      { text: { text: '**bold**' }, fields: [{ text: '*it*' }] },
      { elements: [{ text: '[label](https://a.example)' }] },
    ]);
  });

  test('keeps the first line of code that follows the fence (rocketchat#22867)', () => {
    const { attachments } = shown({
      attachments: [{ text: '*CI failed*\n```Error: disk full on db1\nat host1```\n*after*' }],
    });
    expect(attachments[0]?.text).toBe(
      '**CI failed**\n```\nError: disk full on db1\nat host1\n```\n**after**',
    );
  });
});
