import { Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { EgressClient } from './client/egress-client.js';
import { EgressSettings } from './egress.settings.js';
import { EgressPolicy } from './policy/egress-policy.js';

@Injectable()
class EgressCloser implements OnApplicationShutdown {
  constructor(private readonly client: EgressClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

/** Provides the {@link EgressPolicy} and the {@link EgressClient} of this process. */
@Module({
  providers: [
    EgressSettings,
    {
      provide: EgressPolicy,
      inject: [EgressSettings],
      useFactory: (settings: EgressSettings) => new EgressPolicy(settings),
    },
    {
      provide: EgressClient,
      inject: [EgressSettings, EgressPolicy],
      useFactory: (settings: EgressSettings, policy: EgressPolicy) =>
        EgressClient.fromSettings(settings, policy),
    },
    EgressCloser,
  ],
  exports: [EgressPolicy, EgressClient],
})
export class EgressModule {}
