/** `node scripts/check-catalogues.ts [LANGUAGE…]` lists the errors in the message catalogues, for translators. */
import { LANGUAGES, type Language } from '#kernel/language';
import { catalogueOf } from '#messages';
import { faultsOfCatalogue } from '#test/catalogues';

const requested = process.argv.slice(2).map((code) => code.toUpperCase()) as Language[];
for (const language of requested.length > 0 ? requested : LANGUAGES)
  for (const fault of faultsOfCatalogue(language, catalogueOf(language), catalogueOf('EN'))) {
    console.log(`${language.toLowerCase()}.json ${fault}`);
    process.exitCode = 1;
  }
