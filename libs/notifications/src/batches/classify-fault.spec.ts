import { classifyFault } from './classify-fault.js';

test.each([
  [{ code: '22P02' }, 'message'],
  [{ code: '23505' }, 'message'],
  [{ code: '42P01' }, 'message'],
  [{ code: '54000' }, 'message'],
  [new TypeError('x is undefined'), 'message'],
  [{ code: 'ERR_INVALID_ARG_TYPE' }, 'message'],
  ['thrown', 'message'],
  [{ code: '55P03' }, 'moment'],
  [{ code: '57014' }, 'moment'],
  [{ code: '40P01' }, 'moment'],
  [{ code: '53300' }, 'moment'],
  [{ code: '57P01' }, 'connection'],
  [{ code: '08006' }, 'connection'],
  [{ code: 'ECONNRESET' }, 'connection'],
  [{ code: 'EAI_AGAIN' }, 'connection'],
  [new Error('Connection terminated unexpectedly'), 'connection'],
  [new Error('timeout exceeded when trying to connect'), 'connection'],
  [new Error('Query read timeout'), 'connection'],
])('%p is classified as: %s', (error, fault) => {
  expect(classifyFault(error)).toBe(fault);
});
