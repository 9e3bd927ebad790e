/** The reference page of the kinds of mails, as Markdown. */
import { LANGUAGES } from '#kernel/language';
import { MAIL_KIND_NAMES, traitsOf } from '#kernel/mail-kind';
import { catalogueOf, type Message } from '#messages';

const READERS = { BUYER: 'buyers', MERCHANT: 'merchants', SUPPORT: 'support' } as const;

export function printMailsPage(): string {
  const rows = MAIL_KIND_NAMES.map((kind) => {
    const { audience, when, mandatory, isNotice = false } = traitsOf(kind);
    const always = mandatory === undefined ? '' : `always: ${mandatory}`;
    return `| \`${kind}\` | ${READERS[audience]} | Sent when ${when} | ${isNotice ? 'yes' : ''} | ${always} |`;
  });
  return [HEAD, ...rows, FORMALITIES, ...formalityRows(), ''].join('\n');
}

type ByFormality = Exclude<Message, string>;

/** The number of texts with formalities in each language, and how neutral texts are worded. */
function formalityRows(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return LANGUAGES.map((language) => {
    const texts = Object.values(catalogueOf(language));
    const apart = texts.filter((text): text is ByFormality => typeof text !== 'string');
    const as = (formality: 'FORMAL' | 'INFORMAL') =>
      apart.filter((text) => text.NEUTRAL === text[formality]).length;
    const figures =
      apart.length === 0
        ? ['none', '', '']
        : [`${apart.length} of ${texts.length}`, as('FORMAL'), as('INFORMAL')];
    return `| ${names.of(language)} | ${figures.join(' | ')} |`;
  });
}

const HEAD = `# Mails

<!-- Printed by npm run generate: do not edit this page. -->

Every mail has a kind and a cause, and there is one mail for each cause and address. \`tradeline mail preview KIND\` shows a mail of a kind.
\`tradeline platform mails off KIND\` switches one off, unless the last column says that it is always on. What is sent of a notice is kept for years:
\`tradeline mail notices\`.

A mail to a buyer goes to the address of its order, else to every contact with \`assign_to_all_invoices\` and the contact of the invoice, else to the
buyer's \`contact_email\`, else to another contact. It skips an address that the mail server refused with 5xx, until that server accepts a mail to
the address, as after \`tradeline mail retry\`. Codes, and answers of the checkout, go to the person who asked.

The language is the one of the buyer's settings, else the one that the buyer chose in the checkout, else that of its country, else the platform's. The
formality is the one of the buyer's settings, else the platform's. Merchants and support read the language and formality of the platform.
\`communication_bcc_email\` gets a copy of every mail to a buyer, without codes and links.

| Kind | To | When | Notice | Cannot be switched off |
| --- | --- | --- | --- | --- |`;

const FORMALITIES = `
## Formalities
A language in which companies are addressed in one way has each text once, by design. In the others a text that addresses the reader has three forms; all other
texts have one. A neutral text avoids addressing the reader, or takes the form that companies of the country use.

A file for each language has every mail as text, and says of which mails the formalities are the same: [English](mail-texts/en.txt), [German](mail-texts/de.txt) and
the others beside them.

| Language | Texts with three forms | Neutral as formal | Neutral as informal |
| --- | --- | --- | --- |`;
