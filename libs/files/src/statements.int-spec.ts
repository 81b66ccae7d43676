import { describeEntities, describeStatements } from '@tieline/testing';
import * as attachments from './attachments/attachments.statements.js';
import * as removal from './removal/removal.statements.js';
import { StoredFile } from './file.entity.js';

describeStatements(attachments, removal);
describeEntities(StoredFile);
