import type { Activity } from '../activity.js';

const STOP = 'agent_run.stop_requested';

/** The runs of a bot in this process. A Stop of a person reaches them as soon as it arrives. */
export class StopRequests {
  private readonly stops = new Map<string, () => void>();

  /** @returns a function that forgets the run */
  add(runId: string, stop: () => void): () => void {
    this.stops.set(runId, stop);
    return () => void this.stops.delete(runId);
  }

  /** Looks at an activity when it arrives, because its lane may be held by the run itself. */
  arrived({ type, payload }: Activity): void {
    if (type === STOP) this.stops.get(String(payload.run_id))?.();
  }
}

/** Whether the activity must not wait for others of its conversation, such as for the run. */
export const isStop = ({ type }: Activity): boolean => type === STOP;
