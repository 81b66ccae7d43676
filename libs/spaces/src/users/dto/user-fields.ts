import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { IsText } from '@tieline/platform/http';

/** A DTO field with an e-mail address, or the empty string for none. */
export const EMAIL_OR_EMPTY = /^$|^[^\s@]+@[^\s@]+$/;

export const IsEmailOrEmpty = (): PropertyDecorator =>
  applyDecorators(
    IsText(0, 254),
    Matches(EMAIL_OR_EMPTY, { message: '$property must be an e-mail address' }),
  );
