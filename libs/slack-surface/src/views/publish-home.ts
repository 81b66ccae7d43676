import { Injectable } from '@nestjs/common';
import { findHome, putHome } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import { conflict, notFound } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { FIND_PERSON } from './people.statements.js';
import { readHome } from './read-home.js';
import { ShowViews } from './show-views.js';
import { blocksOf, hashOf, revisionOf } from './view-shapes.js';
import type { PublishedHomeView } from './view.view.js';

const homeChanged = () => conflict('home_changed', 'the home has another version', 'hash');

/** Publishes homes of native bots (docs/shortcuts.md#home). */
@Injectable()
export class PublishHome {
  constructor(
    private readonly db: Db,
    private readonly shown: ShowViews,
  ) {}

  /**
   * Stores the home of the bot for a person, and shows it on the person's clients.
   * @param hash of the version to replace; by default any
   * @throws 400 invalid blocks. 404 no active person of the space. 409 another version
   */
  async run(
    { spaceId, botId }: BotPrincipal,
    userId: string,
    { blocks, hash }: { blocks: readonly unknown[]; hash: string | undefined },
  ): Promise<PublishedHomeView> {
    const content = readHome(blocks);
    const owner = { spaceId, botId, userId };
    const view = await runInTx(
      this.db,
      async (tx) => {
        const [person] = await tx.query(FIND_PERSON, [spaceId, userId]);
        if (!person) throw notFound('user_not_found', 'user not found');
        const current = hash === undefined ? undefined : await findHome(tx, owner);
        const revision = hash === undefined || !current ? undefined : revisionOf(hash, current);
        if (hash !== undefined && revision === undefined) throw homeChanged();
        return putHome(tx, owner, content, revision);
      },
      { spaceId, place: userId },
    );
    if (!view) throw homeChanged();
    this.shown.updated(view);
    return { user_id: userId, hash: hashOf(view), blocks: [...blocksOf(view)] };
  }
}
