import { LEGAL_FORMS } from '#kernel/fields';
import type { Language } from '#kernel/language';
import { operation } from '#operation/operation';
import { LEGAL_FORM_NAMES } from '../legal-form.names.ts';
import { LegalFormList, LegalFormQuery } from '../legal-form.schemas.ts';
import { LOCAL_FORMS, type LocalForm } from '../legal-forms/local-forms.ts';

export const listLegalForms = operation({
  id: 'listLegalForms',
  summary: 'List the legal forms of a country',
  description:
    'Lists all seven values of `legal_form`, each with the local forms of the country that it stands for; a country without a table has none. Offer the local forms to the user, and send the `name`.',
  tag: 'Registry',
  scope: 'read',
  effect: 'read',
  query: LegalFormQuery,
  status: 200,
  response: LegalFormList,
  problems: [],
  example: { query: { country: 'DE', language: 'DE' } },
  async run(_context, { query: { country, language = 'EN' } }) {
    const forms = LOCAL_FORMS.get(country) ?? [];
    const items = LEGAL_FORMS.map((name) => ({
      name,
      display_name: LEGAL_FORM_NAMES[name][language],
      local_forms: forms.filter((form) => form.legalForm === name).map((form) => wireOf(form, language)),
    }));
    return { body: { items } };
  },
});

function wireOf({ code, displayNames, elfCode }: LocalForm, language: Language) {
  const [own = code] = displayNames.values();
  return { code, display_name: displayNames.get(language) ?? own, elf_code: elfCode };
}
