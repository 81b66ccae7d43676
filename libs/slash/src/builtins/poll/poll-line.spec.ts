import { readPollLine } from './poll-line.js';

const long = (length: number): string => '🍕'.repeat(length);
const quoted = (...texts: string[]): string => texts.map((text) => `"${text}"`).join(' ');
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `Option ${index}`);

test.each([
  ['straight', '"Lunch?" "Pizza" "Sushi"'],
  ['English', '“Lunch?” “Pizza” “Sushi”'],
  ['German', '„Lunch?“ „Pizza“ „Sushi“'],
  ['Swedish', '”Lunch?” ”Pizza” ”Sushi”'],
  ['French', '«Lunch?» « Pizza » « Sushi »'],
  ['each another way', '“Lunch?” "Pizza" „Sushi“'],
  ['half of the quotes replaced by the keyboard', '“Lunch?" "Pizza” “Sushi"'],
  ['without or with much space between the quotes', ' "Lunch?""Pizza"  \n\t"Sushi" '],
  ['space inside', '" Lunch? " "Pizza " " Sushi"'],
])('quotes: %s', (_, line) => {
  expect(readPollLine(line)).toEqual({ question: 'Lunch?', options: ['Pizza', 'Sushi'] });
});

test('quotes of another style can be inside', () => {
  expect(readPollLine('"Is “soon” soon?" "It\'s “soon”" “a "quick" no”')).toEqual({
    question: 'Is “soon” soon?',
    options: ["It's “soon”", 'a "quick" no'],
  });
});

test('line breaks become spaces', () => {
  expect(readPollLine('"Lunch\r\n at noon?" "A\u2028B" "C"')).toEqual({
    question: 'Lunch at noon?',
    options: ['A B', 'C'],
  });
});

test('texts at the limits are accepted; limits count code points, and options are case-sensitive', () => {
  expect(readPollLine(quoted(long(300), long(60), 'yes', 'Yes'))).toEqual({
    question: long(300),
    options: [long(60), 'yes', 'Yes'],
  });
  expect(readPollLine(quoted('Q', ...numbered(10)))).toEqual({ question: 'Q', options: numbered(10) });
});

test.each([
  ['What do you want to ask?', ''],
  ['What do you want to ask?', '  \n'],
  ['in quotes', 'Lunch? Pizza Sushi'],
  ['in quotes', '"Lunch?" Pizza "Sushi"'],
  ['in quotes', '"Lunch?" "Pizza" "Sushi'],
  ['in quotes', "'Lunch?' 'Pizza' 'Sushi'"],
  ['The question is empty', '" " "Pizza" "Sushi"'],
  ['The question is too long (maximum 300', quoted(long(301), 'A', 'B')],
  ['at least 2 options', '"Lunch?"'],
  ['at least 2 options', '"Lunch?" "Pizza"'],
  ['at most 10 options', quoted('Q', ...numbered(11))],
  ['An option is empty', '"Lunch?" "Pizza" ""'],
  ['An option is too long (maximum 60', quoted('Q', 'A', long(61))],
  ['Two options are the same', '"Lunch?" "Pizza" "Sushi" " Pizza"'],
  ['Two options are the same', '"Where?" "Café" "Cafe\u0301"'],
])('%s: %s', (why, line) => {
  expect(readPollLine(line)).toEqual({ usage: expect.stringContaining(why) });
  expect(readPollLine(line)).toEqual({ usage: expect.stringContaining('Usage: /poll "Question"') });
});
