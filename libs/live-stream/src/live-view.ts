import { sseFrame } from '@tieline/live';
import type { MessageView, MetadataVisibility, Viewer, VisibleMetadata } from '@tieline/conversations';
import type { LiveEvent } from './live-events.js';
import { withMetadata, withoutAppBlocks } from '@tieline/conversations';

/** An event as one group of viewers sees it. */
export class LiveView {
  private bytes: Buffer | undefined;

  constructor(readonly event: LiveEvent) {}

  /**
   * The event as a line of the stream, built on first use and shared by all viewers of this view.
   */
  get frame(): Buffer {
    return (this.bytes ??= sseFrame(this.event));
  }
}

/**
 * All views of one event. Most events look the same to everyone and are serialized once. For a
 * message with metadata (buttons), the visible part is computed per viewer and serialized once per
 * distinct part.
 */
export class LiveViews {
  private readonly shared: LiveView;
  private readonly byMetadata = new Map<string | undefined, LiveView>();
  private metadataFor: VisibleMetadata | undefined;
  private botViews: LiveViews | undefined;

  constructor(
    private readonly event: LiveEvent,
    private readonly visibility: MetadataVisibility,
  ) {
    this.shared = new LiveView(event);
  }

  /** The views of the event without what only people see. */
  private get forBots(): LiveViews {
    const event = withoutAppBlocks(this.event as LiveEvent & MessageView);
    return (this.botViews ??= new LiveViews(event, this.visibility));
  }

  /** Returns the event as this viewer sees it. */
  of(viewer: Viewer): LiveView {
    if (viewer.type === 'bot' && this.event['app_blocks'] !== undefined) return this.forBots.of(viewer);
    const message = this.event as LiveEvent & MessageView;
    if (message.metadata_json === undefined) return this.shared;
    this.metadataFor ??= this.visibility.of(message.metadata_json, message);
    const visible = this.metadataFor(viewer);
    if (visible === message.metadata_json) return this.shared;
    let view = this.byMetadata.get(visible);
    if (!view) this.byMetadata.set(visible, (view = new LiveView(withMetadata(message, visible))));
    return view;
  }
}
