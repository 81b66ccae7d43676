import { SENT_EVENT_TYPES } from '@tieline/sdk/api';
import { eventWords } from './event-words.js';

it('has a name for exactly the event types that are sent', () => {
  expect(Object.keys(eventWords.en).sort()).toEqual([...SENT_EVENT_TYPES].sort());
});
