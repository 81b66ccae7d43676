import { randomBytes } from 'node:crypto';
import { v4 as uuidv4 } from 'uuid';
import { decodeTicket, encodeTicket, isTicketOf } from './ticket.js';

const hash = randomBytes(32);
const ticket = { spaceId: uuidv4(), botId: uuidv4(), ticketId: uuidv4(), tokenHash: hash };

test('a ticket is read as it was written, and belongs to its token only', () => {
  const read = decodeTicket(encodeTicket(ticket));
  expect(read).toMatchObject({ spaceId: ticket.spaceId, botId: ticket.botId, ticketId: ticket.ticketId });
  expect(isTicketOf(read!, hash)).toBe(true);
  expect(isTicketOf(read!, randomBytes(32))).toBe(false);
});

test.each([
  ['nothing', ''],
  ['a cut ticket', encodeTicket(ticket).slice(0, -1)],
  ['a longer one', `${encodeTicket(ticket)}A`],
  ['other characters', `+${encodeTicket(ticket).slice(1)}`],
  ['ids that are no uuids', Buffer.alloc(64, 0xff).toString('base64url')],
])('%s is not a ticket', (_, text) => {
  const read = decodeTicket(text);
  // A text of the right length may be read, but no place has that id.
  expect(read === undefined || read.ticketId === 'ffffffff-ffff-ffff-ffff-ffffffffffff').toBe(true);
});
