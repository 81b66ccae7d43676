/** Which deliveries a log shows; failed: dead ones. */
export const FILTERS = ['all', 'success', 'failed'] as const;
export type DeliveryFilter = (typeof FILTERS)[number];
export const STATUSES = ['pending', 'success', 'dead'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

/** What a page of a log is narrowed to, all together. */
export interface LogFilters {
  filter: DeliveryFilter;
  status?: DeliveryStatus;
  eventType?: string;
  /** The last HTTP status. */
  code?: number;
  /** Planned then or later. */
  since?: Date;
  /** Planned before. */
  until?: Date;
  /** Id of the last delivery of the page before, or "". */
  cursor: string;
}
