import { Injectable } from '@nestjs/common';
import { AppConfig } from '@tieline/platform/config';
import type { AnswerTools } from './apply-answer.js';
import { ComponentSigner } from '../schema/signing/component-signer.js';
import { ModalTokens } from '../modals/modal-token.js';

/** Provides what answers of bots are carried out with. */
@Injectable()
export class AnswerToolbox {
  readonly tools: AnswerTools;

  constructor(signer: ComponentSigner, config: AppConfig) {
    this.tools = {
      signer,
      tokens: new ModalTokens(config.secretKey),
      modalTtlSeconds: config.modalTokenTtlSeconds,
    };
  }
}
