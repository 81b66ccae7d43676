import { describeEntities } from '@tieline/testing';
import { @Noun@ } from './@noun-@.entity.js';

describeEntities(@Noun@);
