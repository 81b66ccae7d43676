import { Processor } from '@nestjs/bullmq';
import { Db, runInWorkerTx } from '@tieline/platform/database';
import type { DueCheck } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DeliveryKinds } from '../delivery-kinds.js';
import type { DeliveryKind } from '../delivery-kinds.js';
import { lockMarked, markedTargets, markedTargetsCheck, unmark } from './exhausted-targets.js';
import type { Exhaustion, TargetKey } from './exhausted-targets.js';
import { killPending } from './kill-pending.js';

export const AUTO_DISABLE = 'auto-disable';
/** Maximum number of pending deliveries that one transaction closes. */
const KILLED_AT_ONCE = 5_000;

/**
 * Disables targets that reached the threshold of consecutive dead letters, and closes their
 * pending deliveries in steps. Removes the mark last, so that the next run finishes after a crash.
 */
@Processor(AUTO_DISABLE, DUTY_OPTIONS)
export class AutoDisableProcessor extends Duty {
  constructor(
    private readonly db: Db,
    private readonly kinds: DeliveryKinds,
  ) {
    super();
  }

  /** Kinds register after this was created. */
  override readonly due = (): DueCheck => {
    const exhaustions = this.kinds.all.flatMap(({ exhaustion }) => exhaustion ?? []);
    return markedTargetsCheck(this.db, exhaustions);
  };

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (const kind of this.kinds.all)
      if (kind.exhaustion) await this.finishAll(kind, kind.exhaustion, signal);
  }

  private async finishAll(kind: DeliveryKind, exhaustion: Exhaustion, signal: AbortSignal): Promise<void> {
    for (const target of await markedTargets(this.db, exhaustion)) {
      if (signal.aborted) return;
      await runInWorkerTx(this.db, async (tx) => {
        if (await lockMarked(tx, exhaustion, target)) await exhaustion.switchOff(tx, target);
      });
      while (!signal.aborted && (await this.endSome(kind.name, exhaustion, target)));
    }
  }

  /** @returns whether there may be more to close */
  private endSome(kind: string, exhaustion: Exhaustion, target: TargetKey): Promise<boolean> {
    return runInWorkerTx(this.db, async (tx) => {
      if (!(await lockMarked(tx, exhaustion, target))) return false;
      const { error } = exhaustion;
      const ended = await killPending(tx, { kind, targetId: target.id, error, limit: KILLED_AT_ONCE });
      if (ended === KILLED_AT_ONCE) return true;
      await unmark(tx, exhaustion, target);
      return false;
    });
  }
}
