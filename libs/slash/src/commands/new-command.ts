import { bodyReader } from '@tieline/platform/http';
import { withDefaults } from '@tieline/platform/resource';
import { COMMAND } from './command.js';
import type { CommandInput, CommandSettings } from './command.js';
import { RegisterCommandDto, UpdateCommandDto } from './dto/command.dto.js';

const read = bodyReader(RegisterCommandDto);
const readUpdate = bodyReader(UpdateCommandDto);

/**
 * Reads the body of a registration. Check first that the commands are the caller's own.
 * @throws 400
 */
export function readNewCommand(given: unknown): CommandSettings {
  return newCommandOf(read(given));
}

/** Returns the settings of a new command from a valid body. */
export function newCommandOf(body: RegisterCommandDto): CommandSettings {
  return withDefaults(COMMAND, RegisterCommandDto.valuesOf(body));
}

/** Reads the body of a change. Leaves out absent and null fields. @throws 400 */
export function readCommandUpdate(given: unknown): CommandInput {
  return UpdateCommandDto.valuesOf(readUpdate(given));
}
