import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
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

@Module({})
export class SuppliedClicks {
  /** Supplies the port that InteractiveModule needs, in tests without the lib that does. */
  static of(clicks: BuiltinClicks = new NoBuiltinClicks()): DynamicModule {
    return {
      module: SuppliedClicks,
      global: true,
      providers: [{ provide: BuiltinClicks, useValue: clicks }],
      exports: [BuiltinClicks],
    };
  }
}
