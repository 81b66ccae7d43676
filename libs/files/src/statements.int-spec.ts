import { describeStatements } from '@tieline/testing';
import * as attachments from './attachments/attachments.statements.js';
import * as removal from './removal/removal.statements.js';

describeStatements(attachments, removal);
