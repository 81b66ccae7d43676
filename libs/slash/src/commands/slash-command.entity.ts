import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { COMMAND } from './command.js';

/** A command that a bot registered. Deleting the row frees the name immediately. */
@Entity('slash_commands')
export class SlashCommand extends entityOf(COMMAND) {}
