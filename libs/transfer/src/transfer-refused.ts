import { CommandRefused } from '@tieline/platform/runtime';

/** Why an export or import is impossible; nothing was changed. */
export class TransferRefused extends CommandRefused {}
