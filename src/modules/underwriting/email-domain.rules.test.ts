import { describe, expect, it } from 'vitest';
import { type DomainEvidence, domainOf, emailDomainOf } from './email-domain.rules.ts';

const nordlicht: DomainEvidence = {
  website: 'https://www.nordlicht.example/ueber-uns',
};

describe('an e-mail address at the domain of the company', () => {
  it.each([
    ['kim@nordlicht.example', nordlicht],
    ['Kim.Berg@NORDLICHT.Example', nordlicht],
    ['kim@mail.nordlicht.example', nordlicht],
    ['kim@stadtwerke.example', { ...nordlicht, emailsOnFile: ['office@stadtwerke.example'] }],
  ])('%s is its own', (email, company) => {
    expect(emailDomainOf(email, company)).toBe('OWN_OF_COMPANY');
  });
});

describe('an address at a free mail provider', () => {
  it.each(['kim@gmail.com', 'kim@GMX.de', 'kim@web.de', 'kim@orange.fr', 'kim@wp.pl', 'kim@libero.it'])(
    '%s is free mail',
    (email) => {
      expect(emailDomainOf(email, nordlicht)).toBe('FREE_MAIL');
    },
  );

  it('stays free mail also where an address there is on file', () => {
    const company = { ...nordlicht, emailsOnFile: ['nordlicht@gmail.com'] };
    expect(emailDomainOf('kim@gmail.com', company)).toBe('FREE_MAIL');
  });
});

describe('a lookalike', () => {
  it.each([
    ['one letter off', 'kim@nordl1cht.example'],
    ['one letter more', 'kim@nordlichts.example'],
    ['another top level', 'kim@nordlicht.com'],
    ['a hyphen', 'kim@nord-licht.example'],
    ['a Cyrillic letter', 'kim@nоrdlicht.example'],
    ['its punycode', `kim@${domainOf('kim@nоrdlicht.example')}`],
    ['the name in front', 'kim@nordlicht.example.evil.test'],
    ['the name behind', 'kim@evilnordlicht.example'],
    ['the host above', 'kim@example'],
    ['the name, where a website is known', 'kim@nordlicht-energie.de'],
    ['two at signs', 'kim@nordlicht.example@evil.test'],
    ['no domain', 'kim@'],
    ['no address', 'nordlicht.example'],
  ])('with %s is another domain', (_what, email) => {
    expect(emailDomainOf(email, nordlicht)).toBe('OTHER');
  });

  it.each(['kim@nordlicht-energie.de', 'kim@nordlichtenergie.de', 'kim@nordlicht.de'])(
    'made from the name of a company without a website is another domain: %s',
    (email) => {
      expect(emailDomainOf(email, { website: null })).toBe('OTHER');
    },
  );

  it('of a website whose address cannot be read is another domain', () => {
    expect(emailDomainOf('kim@nordlicht.example', { ...nordlicht, website: 'not an address' })).toBe('OTHER');
  });
});
