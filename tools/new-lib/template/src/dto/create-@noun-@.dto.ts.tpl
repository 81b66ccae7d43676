import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { @NOUN@ } from '../@noun-@.js';

/** Body of POST /admin/@nouns_@. */
@BodyExample('one of a name', { name: 'On call' })
export class Create@Noun@Dto extends bodyOf(@NOUN@, 'create') {}
