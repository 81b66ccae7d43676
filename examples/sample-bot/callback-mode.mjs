/** Tieline POSTs what people do, and the answer to the request is the answer to the person. It has 3 seconds. */
import { createServer } from 'node:http';
import { answerCommand, answerInteraction } from './release.mjs';
import { isGenuine } from './signature.mjs';
import { answerByTrigger } from './tieline.mjs';

/** Clicks and commands are signed with secrets of their own. */
export function serveCallbacks({ port, clicksSecret, commandSecret }) {
  if (!clicksSecret || !commandSecret) throw new Error('CLICKS_SECRET and COMMAND_SECRET are needed');
  const doors = new Map([
    ['/clicks', { secret: clicksSecret, answer: answerClick }],
    ['/commands', { secret: commandSecret, answer: answerInvocation }],
  ]);
  const server = createServer((request, response) => {
    receive(doors.get(request.url), request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, () => console.log(`ready: called back at port ${server.address().port}`));
}

async function receive(door, request, response) {
  const body = Buffer.concat(await request.toArray());
  if (!door || !isGenuine(door.secret, request.headers, body)) return response.writeHead(401).end();
  const answer = door.answer(JSON.parse(body.toString('utf8')));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer && JSON.stringify(answer));
}

const answerClick = (event) => answerInteraction(event, { canChainModals: false });

/** An answer at once is text only. A message with buttons follows by trigger, after an empty answer. */
function answerInvocation({ trigger_id: triggerId, text }) {
  const message = answerCommand(text);
  if (!message.metadata_json) return { text: message.content };
  answerByTrigger(triggerId, message).catch(console.error);
  return undefined;
}
