import { PartialType } from '@nestjs/swagger';
import { RegisterCommandDto } from './register-command.dto.js';

/** Body of PATCH /bots/{bot_id}/commands/{command_id}: what is absent or null stays (decisions, section 11.5). */
export class UpdateCommandDto extends PartialType(RegisterCommandDto) {}
