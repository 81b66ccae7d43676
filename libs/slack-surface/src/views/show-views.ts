import { Injectable } from '@nestjs/common';
import { LiveEvents } from '@tieline/live-stream';
import type { AppView, ViewOwner } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import { APPS_OF_BOTS } from '../events/event-facts.statements.js';
import type { Json } from '../blocks/rules.js';
import type { StateValues } from '../blocks/state.js';
import { appView, shownView } from './view-shapes.js';

/** Shows views to their apps and to people. */
@Injectable()
export class ShowViews {
  constructor(
    private readonly db: Db,
    private readonly live: LiveEvents,
  ) {}

  /** Returns a view as its app sees it. */
  async forApp(view: AppView, values?: StateValues): Promise<Json> {
    const [app] = await this.db.query(APPS_OF_BOTS, [[view.spaceId], [view.botId]]);
    return appView(view, app?.appId, values);
  }

  /** Notifies the person's clients. Call it after the commit. */
  opened(view: AppView): void {
    this.live.toPerson(view.spaceId, view.userId, { event: 'view.opened', view: shownView(view) });
  }

  updated(view: AppView): void {
    this.live.toPerson(view.spaceId, view.userId, { event: 'view.updated', view: shownView(view) });
  }

  closed({ spaceId, userId }: ViewOwner, ids: readonly string[]): void {
    for (const id of ids) this.live.toPerson(spaceId, userId, { event: 'view.closed', view_id: id });
  }
}
