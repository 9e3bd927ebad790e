import { describe, expect, it } from 'vitest';
import { type DomainEvidence, domainOf, emailDomainOf } from './email-domain.rules.ts';

const nordlicht: DomainEvidence = {
  legalName: 'Nordlicht Energie AG',
  country: 'DE',
  website: 'https://www.nordlicht.example/ueber-uns',
};
const withoutWebsite = { ...nordlicht, website: null };

describe('an e-mail address at the domain of the company', () => {
  it.each([
    ['kim@nordlicht.example', nordlicht],
    ['Kim.Berg@NORDLICHT.Example', nordlicht],
    ['kim@mail.nordlicht.example', nordlicht],
    ['kim@nordlicht-energie.de', withoutWebsite],
    ['kim@nordlichtenergie.de', withoutWebsite],
    ['kim@mueller-soehne.de', { legalName: 'Müller & Söhne GmbH', country: 'DE', website: null }],
    ['kim@cafe-morgenrot.fr', { legalName: 'Café Morgenrot SARL', country: 'FR', website: null }],
    ['kim@harbour-tearooms.co.uk', { legalName: 'Harbour Tearooms LLP', country: 'GB', website: null }],
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

  it.each([
    ['another top level', 'kim@nordlicht-energie.com'],
    ['a part of the name', 'kim@nordlicht.de'],
    ['the name and more', 'kim@nordlicht-energie-gruppe.de'],
    ['a homoglyph', 'kim@nordlicht-energiе.de'],
  ])('of a company without a website, with %s, is another domain', (_what, email) => {
    expect(emailDomainOf(email, withoutWebsite)).toBe('OTHER');
  });

  it('of a name in which an umlaut loses its dots is another domain', () => {
    const mueller = { legalName: 'Müller Bau GmbH', country: 'DE', website: null };
    expect(emailDomainOf('kim@muellerbau.de', mueller)).toBe('OWN_OF_COMPANY');
    expect(emailDomainOf('kim@mullerbau.de', mueller)).toBe('OTHER');
  });

  it('is impossible for names that ASCII cannot write, and for short ones', () => {
    expect(emailDomainOf('kim@ace.de', { legalName: 'АСЕ GmbH', country: 'DE', website: null })).toBe(
      'OTHER',
    );
    expect(emailDomainOf('kim@abc.de', { legalName: 'ABC GmbH', country: 'DE', website: null })).toBe(
      'OTHER',
    );
  });

  it('of a website whose address cannot be read is another domain', () => {
    expect(emailDomainOf('kim@nordlicht.example', { ...nordlicht, website: 'not an address' })).toBe('OTHER');
  });
});
