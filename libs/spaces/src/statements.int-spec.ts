import { describeEntities, describeStatements } from '@tieline/testing';
import * as spaces from './spaces/spaces.statements.js';
import * as users from './users/users.statements.js';
import { AuditEntry } from './audit-log/audit-entry.entity.js';
import { Notice } from './notices/notice.entity.js';
import { Space } from './spaces/space.entity.js';
import { User } from './users/user.entity.js';

describeStatements(spaces, users);
describeEntities(AuditEntry, Notice, Space, User);
