import { ApiProperty } from '@nestjs/swagger';
import { IsModal } from '../../answers/dto/bot-answer.dto.js';
import { BodyExample } from '@tieline/platform/http';
import { TextOf } from '../../schema/schema-rules.js';

const MODAL = { title: 'Why now?', fields: [{ id: 'reason', type: 'text', label: 'Reason' }] };
/** Trigger ids have about 230 characters, those of shortcuts with long names up to 450. */
const MAX_TRIGGER_ID = 500;

const IsGivenModal = (): PropertyDecorator => IsModal('as in `open_modal`', { required: true });

/** Body of POST /bot/modals/{modal_id}/push and PATCH /bot/modals/{modal_id}. */
@BodyExample('a form', { modal: MODAL })
export class ChangeModalDto {
  @IsGivenModal()
  modal: Record<string, unknown>;
}

/** Body of POST /bot/modals. */
@BodyExample('a form', { trigger_id: 'tlt_AZrX…', modal: MODAL })
export class OpenModalDto {
  @ApiProperty({ description: 'of a click, a selection, a command, a shortcut or a home' })
  @TextOf({ min: 1, max: MAX_TRIGGER_ID })
  trigger_id: string;

  @IsGivenModal()
  modal: Record<string, unknown>;
}
