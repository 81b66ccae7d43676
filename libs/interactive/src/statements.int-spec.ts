import { describeEntities, describeStatements } from '@tieline/testing';
import * as interactions from './answers/interactions.statements.js';
import * as cleanUp from './clean-up/drop-interactions.statements.js';
import * as clicks from './clicks/component-clicks.statements.js';
import * as config from './config/interactive-config.statements.js';
import * as modals from './modals/modals.statements.js';
import * as builtinKeys from './schema/signing/builtin-keys.statements.js';
import { InteractiveConfig } from './config/interactive-config.entity.js';

describeStatements(interactions, cleanUp, clicks, config, modals, builtinKeys);
describeEntities(InteractiveConfig);
