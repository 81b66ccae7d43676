import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CommandCallbacks } from '../modals/command-callbacks.js';
import { BuiltinClicks } from '../clicks/builtin-clicks.js';
import type { BuiltinClickResult } from '../clicks/builtin-clicks.js';

/** For processes without built-in buttons. */
class NoBuiltinClicks extends BuiltinClicks {
  async owns(): Promise<boolean> {
    return false;
  }

  async click(): Promise<BuiltinClickResult> {
    throw new Error('click on a message without built-in buttons');
  }
}

/** For processes without slash commands. */
class NoCommandCallbacks extends CommandCallbacks {
  async find(): Promise<undefined> {
    return undefined;
  }

  async findTrigger(): Promise<undefined> {
    return undefined;
  }
}

@Module({})
export class SuppliedClicks {
  /**
   * Provides the ports that InteractiveModule needs, in tests without the lib that implements them.
   */
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
