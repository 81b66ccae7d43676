// as apps/console/src/areas/bots/snippets.ts: @typescript-eslint/no-restricted-imports
import { peopleWords } from '../people/words.js';

export const used = peopleWords;
