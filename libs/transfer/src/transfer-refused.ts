import { CommandRefused } from '@tieline/platform/runtime';

/** Why an export cannot be made or taken in; nothing was changed. */
export class TransferRefused extends CommandRefused {}
