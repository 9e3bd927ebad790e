import { expect, it } from 'vitest';
import { maskEmail } from './access.rules.ts';

const masked: [email: string, shown: string][] = [
  ['carla@morgenrot.example', 'c•••@m•••.example'],
  ['c@mail.morgenrot.co.uk', 'c•••@m•••.uk'],
  ['größe@größe.example', 'g•••@g•••.example'],
  ['😀x@x.example', '😀•••@x•••.example'],
  ['a@localhost', 'a•••@l•••'],
];

it.each(masked)('masks %s as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});
