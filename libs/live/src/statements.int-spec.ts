import { describeStatements } from '@tieline/testing';
import * as bus from './bus/bus.statements.js';

describeStatements(bus);
