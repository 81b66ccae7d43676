import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CommandCallbacks } from '../modals/command-callbacks.js';
import { BuiltinClicks } from '../clicks/builtin-clicks.js';
import type { BuiltinClickResult } from '../clicks/builtin-clicks.js';

/** A process whose product has no messages with buttons of its own. */
class NoBuiltinClicks extends BuiltinClicks {
  async owns(): Promise<boolean> {
    return false;
  }

  async click(): Promise<BuiltinClickResult> {
    throw new Error('a click that nobody owns');
  }
}

/** A process without slash commands. */
class NoCommandCallbacks extends CommandCallbacks {
  async find(): Promise<undefined> {
    return undefined;
  }
}

@Module({})
export class SuppliedClicks {
  /** Supplies the ports that InteractiveModule needs, in tests without the lib that does. */
  static of(clicks: BuiltinClicks = new NoBuiltinClicks()): DynamicModule {
    return {
      module: SuppliedClicks,
      global: true,
      providers: [
        { provide: BuiltinClicks, useValue: clicks },
        { provide: CommandCallbacks, useClass: NoCommandCallbacks },
      ],
      exports: [BuiltinClicks, CommandCallbacks],
    };
  }
}
