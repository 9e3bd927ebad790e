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
    'Always the seven values that `legal_form` takes, and under each the forms of the country that are one; none where the country is not described. Offer the local forms, send the `name`.',
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
