import { invalidField } from '@tieline/platform/http';
import type { ApiError, Scope } from '@tieline/platform/http';

export const mustBeObject = (field: string): ApiError => invalidField(field, `${field} must be an object`);
export const mustBeList = (field: string, max: number): ApiError =>
  invalidField(field, `${field} must be a list of up to ${max}`);
/** 400: a part of the manifest needs a scope that it does not ask for. */
export const scopeMissing = (part: string, scope: Scope): ApiError =>
  invalidField('manifest.bot_scopes', `manifest.${part} needs the bot scope ${scope}`);
/** 400: programs that have a secret cannot lose it, and the others cannot keep one. */
export const clientTypeFixed = (): ApiError =>
  invalidField('manifest.client_type', 'manifest.client_type cannot be changed');
/** 400: only an uninstallation takes the bot away. */
export const botStays = (): ApiError =>
  invalidField(
    'manifest.bot_scopes',
    'manifest.bot_scopes must not be empty while the app has a bot: uninstall the app first',
  );
/** 400: only an app with a bot has these. */
export const botMissing = (part: string): ApiError =>
  invalidField('manifest.bot_scopes', `manifest.${part} needs a bot: bot_scopes must not be empty`);
