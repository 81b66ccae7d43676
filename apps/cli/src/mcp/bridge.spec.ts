import { headerText, McpBridge } from './bridge.js';

test.each([
  ['send_message', 'send_message'],
  ['a b', 'a b'],
  ['', '=?base64??='],
  [' a', '=?base64?IGE=?='],
  ['é', '=?base64?w6k=?='],
  ['a\nb', '=?base64?YQpi?='],
  ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
])('%j is written as a header', (text, header) => {
  expect(headerText(text)).toBe(header);
});

test('what is no message is refused, and a server that is away fails the request', async () => {
  const sent: unknown[] = [];
  const warnings: string[] = [];
  const bridge = new McpBridge({
    url: 'http://127.0.0.1:1/mcp',
    token: 'tlb_x',
    send: (message) => sent.push(message),
    warn: (text) => warnings.push(text),
  });
  async function* lines(): AsyncGenerator<string> {
    yield* ['', '{', '[]', '5', '{"id":1,"result":{}}', '{"id":2,"method":"ping"}', '{"method":"n"}'];
  }
  await bridge.run(lines());
  const refused = (id: unknown, code: number): object =>
    expect.objectContaining({ id, error: expect.objectContaining({ code }) as unknown }) as object;
  expect(sent).toEqual([
    refused(null, -32700),
    refused(null, -32600),
    refused(null, -32600),
    refused(2, -32603),
  ]);
  expect(warnings).toEqual([expect.stringContaining('unreachable')]);
});
