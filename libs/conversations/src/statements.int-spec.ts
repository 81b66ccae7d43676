import { describeStatements } from '@tieline/testing';
import * as channels from './channels/channels.statements.js';
import * as messages from './messages/message.statements.js';
import * as postMany from './messages/post-many.statements.js';
import * as posted from './messages/posted-messages.statements.js';

describeStatements(channels, messages, posted, postMany);
