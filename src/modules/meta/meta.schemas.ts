import { Type } from 'typebox';
import { ENVIRONMENTS } from '#kernel/api-key';
import { closed, named, oneOf, unixSeconds } from '#kernel/fields';

export const Meta = closed(
  {
    version: Type.String({ description: 'The version of the program' }),
    environment: named('Environment', oneOf(ENVIRONMENTS)),
    time: unixSeconds("The time by the platform's clock, which in a sandbox can be ahead"),
  },
  'Meta',
);
