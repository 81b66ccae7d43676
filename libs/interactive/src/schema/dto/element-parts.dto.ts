import { ApiProperty } from '@nestjs/swagger';
import { Nested } from '@tieline/platform/http';
import { AnyText, Matching, Optional, TextOf, UuidList } from '../schema-rules.js';

/* Common fields of elements in blocks of type `actions`. Unknown fields are ignored. */

export const ACTION_ID = /^[a-z0-9_-]{1,64}$/;

export class ConfirmDto {
  @TextOf({ max: 75 })
  @Optional()
  title?: string | null;

  @TextOf({ max: 300 })
  @Optional()
  text?: string | null;

  @AnyText()
  @Optional()
  confirm_label?: string | null;

  @AnyText()
  @Optional()
  cancel_label?: string | null;
}

export class OptionDto {
  @TextOf({ min: 1, max: 150 })
  value: string;

  @TextOf({ min: 1, max: 75 })
  label: string;
}

export class ElementDto {
  @Matching(ACTION_ID)
  action_id: string;

  @UuidList(100)
  @Optional()
  visibility_user_ids?: string[] | null;

  @ApiProperty({ type: ConfirmDto, required: false, nullable: true })
  @Nested(() => ConfirmDto)
  @Optional()
  confirm?: ConfirmDto | null;
}
