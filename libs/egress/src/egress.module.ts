import { Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { EgressClient } from './client/egress-client.js';
import { EgressSettings } from './egress.settings.js';
import { EgressPolicy, PublicEgressPolicy } from './policy/egress-policy.js';

@Injectable()
class EgressCloser implements OnApplicationShutdown {
  constructor(private readonly client: EgressClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

/**
 * Policy that only tests provide, instead of {@link PublicEgressPolicy}, so that receivers on
 * loopback can act as push services.
 */
export const PUBLIC_POLICY_FOR_TESTS = Symbol('public egress policy for tests');

/**
 * Provides the {@link EgressPolicy}, the {@link PublicEgressPolicy} and the {@link EgressClient} of
 * this process.
 */
@Module({
  providers: [
    EgressSettings,
    {
      provide: EgressPolicy,
      inject: [EgressSettings],
      useFactory: (settings: EgressSettings) => new EgressPolicy(settings),
    },
    {
      provide: PublicEgressPolicy,
      inject: [{ token: PUBLIC_POLICY_FOR_TESTS, optional: true }],
      useFactory: (testPolicy?: EgressPolicy) => testPolicy ?? new PublicEgressPolicy(),
    },
    {
      provide: EgressClient,
      inject: [EgressSettings, EgressPolicy, PublicEgressPolicy],
      useFactory: (settings: EgressSettings, policy: EgressPolicy, publicPolicy: EgressPolicy) =>
        EgressClient.fromSettings(settings, policy, publicPolicy),
    },
    EgressCloser,
  ],
  exports: [EgressPolicy, PublicEgressPolicy, EgressClient],
})
export class EgressModule {}
