import { describeStatements } from '@tieline/testing';
import * as words from './indexing/bucket-words.statements.js';
import * as earlier from './indexing/earlier-messages.statements.js';
import * as index from './indexing/search-index.statements.js';
import * as messages from './messages/search-messages.statements.js';
import * as people from './people/search-people.statements.js';

describeStatements(words, earlier, index, messages, people);
