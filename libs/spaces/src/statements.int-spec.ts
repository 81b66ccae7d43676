import { describeStatements } from '@tieline/testing';
import * as auditLog from './audit-log/audit-log.statements.js';
import * as notices from './notices/notices.statements.js';
import * as spaces from './spaces/spaces.statements.js';
import * as users from './users/users.statements.js';

describeStatements(auditLog, notices, spaces, users);
