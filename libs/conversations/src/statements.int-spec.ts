import { describeStatements } from '@tieline/testing';
import * as messages from './messages/message.statements.js';
import * as postMany from './messages/post-many.statements.js';

describeStatements(messages, postMany);
