import { Global, Injectable, Module } from '@nestjs/common';
import { MetadataVisibility } from '@tieline/conversations';
import type { MessageView, Viewer, VisibleMetadata } from '@tieline/conversations';
import { mapComponents, visibleTo } from './components.js';
import { readExact } from './exact-json.js';
import { hasActionsBlock } from './interactive-schema.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Interactive metadata is stored by JSON.stringify, without spaces, so this text must occur in it.
 * A match can be a false positive.
 */
const MAYBE_INTERACTIVE = '"type":"actions"';

/**
 * The views of a message's metadata. People see the elements visible to them, with `signed_token`
 * and without `visibility_user_ids`. The bot that sent it sees all elements without `signed_token`.
 * Other bots see the elements that everyone may see, without either field.
 */
class MetadataViews {
  private readonly value: Fields;
  private readonly write: (value: unknown) => string;
  private readonly namedIds = new Set<string>();
  private readonly cache = new Map<string, string>();
  private readonly isInteractive: boolean;

  constructor(readonly stored: string) {
    ({ value: this.value, write: this.write } = readExact(stored));
    this.isInteractive = hasActionsBlock(this.value);
    mapComponents(this.value, (element) => {
      for (const id of visibleTo(element)) this.namedIds.add(id);
      return element;
    });
  }

  /**
   * Returns the view of one viewer. Viewers who are not named in any element share one cached view.
   */
  for({ type, id }: Viewer, isOwner: boolean): string {
    if (!this.isInteractive) return this.stored;
    if (isOwner) return this.cached('owner', withoutToken);
    const name = this.namedIds.has(id) ? id : '';
    return this.cached(`${type}:${name}`, (element) => {
      const ids = visibleTo(element);
      if (ids.length > 0 && !ids.includes(name)) return undefined;
      const { visibility_user_ids: _, ...shown } = element;
      return type === 'user' ? shown : withoutToken(shown);
    });
  }

  private cached(form: string, change: (element: Fields) => Fields | undefined): string {
    let view = this.cache.get(form);
    if (view === undefined) this.cache.set(form, (view = this.write(mapComponents(this.value, change))));
    return view;
  }
}

/**
 * Filters a message's stored metadata for each viewer. Metadata without interactive blocks is
 * returned as it was sent.
 */
@Injectable()
export class VisibleComponents extends MetadataVisibility {
  override of(
    stored: string,
    { author_id, author_type }: Pick<MessageView, 'author_id' | 'author_type'>,
  ): VisibleMetadata {
    if (!stored.includes(MAYBE_INTERACTIVE)) return () => stored;
    const views = new MetadataViews(stored);
    return (viewer) =>
      views.for(viewer, viewer.type === 'bot' && author_type === 'bot' && author_id === viewer.id);
  }
}

/**
 * Global because it provides `MetadataVisibility` to the chat core, a lower lib that cannot import
 * this one.
 */
@Global()
@Module({
  providers: [{ provide: MetadataVisibility, useClass: VisibleComponents }],
  exports: [MetadataVisibility],
})
export class MetadataVisibilityModule {}

function withoutToken({ signed_token: _, ...shown }: Fields): Fields {
  return shown;
}
