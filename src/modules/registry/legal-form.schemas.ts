import { type Static, Type } from 'typebox';
import { CountrySchema, closed, LanguageSchema, LegalFormSchema, nullable } from '#kernel/fields';

export const LegalFormQuery = closed({
  country: CountrySchema,
  language: Type.Optional({
    ...LanguageSchema,
    default: 'EN',
    description: 'Language of the seven names, and of the local names if the country has several languages',
  }),
});

const LocalForm = closed(
  {
    code: Type.String({ description: 'Stable, and unique over all countries: `DE_GMBH`' }),
    display_name: Type.String({ description: "Full name and abbreviation in the country's own language" }),
    elf_code: nullable(
      Type.String({
        description: 'ISO 20275; null if the standard has no code for exactly this form in the whole country',
      }),
    ),
  },
  'LocalLegalForm',
);

export const LegalFormList = closed(
  {
    items: Type.Array(
      closed(
        {
          name: LegalFormSchema,
          display_name: Type.String({ description: 'In the requested language' }),
          local_forms: Type.Array(LocalForm, { description: 'The most common forms first' }),
        },
        'LegalFormOption',
      ),
    ),
  },
  'LegalFormList',
);
export type LegalFormList = Static<typeof LegalFormList>;
