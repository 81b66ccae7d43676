import { describeStatements } from '@tieline/testing';
import * as members from './conversations/members/members.statements.js';
import * as membersOfSpace from './members/members-of-space.statements.js';

describeStatements(members, membersOfSpace);
