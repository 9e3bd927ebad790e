/** What html-validate finds wrong with the HTML of a mail: by the standard, and by what WCAG says of markup. */
import { HtmlValidate, StaticConfigLoader } from 'html-validate';

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      // A subject is the title. Its length is limited where it is written.
      'long-title': 'off',
      // Many mail programs drop the head: what must not get lost is an attribute.
      'no-inline-style': 'off',
      // Outlook reads widths, borders and alignment of tables from attributes. render-mail.test.ts lists the attributes that mails have.
      'no-deprecated-attr': 'off',
      // Some know only the older of the two words for a table that is layout.
      'presentation-role-style': ['error', { prefer: 'presentation' }],
      // Some drop elements that they do not know.
      'prefer-native-element': ['error', { exclude: ['main'] }],
      // Every program adds it.
      'prefer-tbody': 'off',
    },
  }),
);

/** A sentence for each fault, with its place. */
export async function faultsOfMailHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, column, message }) => `${ruleId} ${line}:${column} ${message}`),
  );
}

/** The tags and attributes, without the text between them and the language: of two with the same, both are valid or none is. */
export function skeletonOf(html: string): string {
  return html.replaceAll(/>[^<]*</g, '><').replaceAll(/ (lang|dir)="[^"]*"/g, ' $1');
}
