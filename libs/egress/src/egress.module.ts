import { Global, Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '@tieline/platform/config';
import { EgressClient } from './client/egress-client.js';
import { EgressPolicy } from './policy/egress-policy.js';

@Injectable()
class EgressCloser implements OnApplicationShutdown {
  constructor(private readonly client: EgressClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

/** Provides the {@link EgressPolicy} and the {@link EgressClient} of this process. */
@Global()
@Module({
  providers: [
    {
      provide: EgressPolicy,
      inject: [AppConfig],
      useFactory: (config: AppConfig) => EgressPolicy.fromConfig(config),
    },
    {
      provide: EgressClient,
      inject: [AppConfig, EgressPolicy],
      useFactory: (config: AppConfig, policy: EgressPolicy) => EgressClient.fromConfig(config, policy),
    },
    EgressCloser,
  ],
  exports: [EgressPolicy, EgressClient],
})
export class EgressModule {}
