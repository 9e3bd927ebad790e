import { describe, expect, it } from 'vitest';
import { emailHashOf, isOperatorId, mayAct, operatorActor, operatorIdOf, ROLES } from './operator.rules.ts';

describe('a role', () => {
  it.each([
    ['VIEW', ['VIEW']],
    ['CREDIT', ['VIEW', 'CREDIT']],
    ['FINANCE', ['VIEW', 'FINANCE']],
    ['ADMIN', ['VIEW', 'CREDIT', 'FINANCE', 'ADMIN']],
  ] as const)('%s may do what takes %j', (role, allowed) => {
    expect(ROLES.filter((needed) => mayAct(role, needed))).toEqual(allowed);
  });
});

describe('the id of an operator', () => {
  it.each(['ada', 'b', '7', 'ada.l', 'ada-lovelace', 'a'.repeat(50)])('can be %j', (id) => {
    expect(isOperatorId(id)).toBe(true);
    expect(operatorIdOf(operatorActor(id))).toBe(id);
  });

  it.each(['', 'Ada', '-ada', '.', 'ada lovelace', 'ada\n', 'аda', 'a'.repeat(51)])('cannot be %j', (id) => {
    expect(isOperatorId(id)).toBe(false);
  });

  it('is in no other actor', () => {
    for (const actor of ['api_key:ada', 'buyer', 'service', '']) expect(operatorIdOf(actor)).toBeNull();
  });
});

describe('the hash of an e-mail address', () => {
  const hashOf = (email: string, key = 'k') => emailHashOf(Buffer.from(key), email).toString('hex');

  it.each([
    'ada@bücher.example',
    'ADA@BÜCHER.EXAMPLE',
    'ada+credit@bücher.example',
    'Ada+a+b@xn--bcher-kva.example',
    'ａｄａ@bücher.example',
  ])('is the same for %s', (email) => {
    expect(hashOf(email)).toBe(hashOf('ada@xn--bcher-kva.example'));
  });

  it('differs for another mailbox and under another key', () => {
    const others = [hashOf('ada@x.example'), hashOf('ben@bücher.example'), hashOf('ada@bücher.example', 'l')];
    expect(new Set([...others, hashOf('ada@bücher.example')]).size).toBe(4);
  });
});
