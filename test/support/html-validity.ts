/** The faults that html-validate finds in the HTML of a mail, by the standard and by the markup rules of WCAG. */
import { HtmlValidate, StaticConfigLoader } from 'html-validate';

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      // The title is the subject, whose length is limited elsewhere.
      'long-title': 'off',
      // Many mail programs drop the head, so essential styles are attributes.
      'no-inline-style': 'off',
      // Outlook reads widths, borders and alignment of tables from attributes. render-mail.test.ts lists the attributes that mails have.
      'no-deprecated-attr': 'off',
      // Some programs know only the older of the two roles for a layout table.
      'presentation-role-style': ['error', { prefer: 'presentation' }],
      // Some programs drop elements that they do not know.
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

/** The tags and attributes, without text and language. Two mails with the same skeleton are both valid or both invalid. */
export function skeletonOf(html: string): string {
  return html.replaceAll(/>[^<]*</g, '><').replaceAll(/ (lang|dir)="[^"]*"/g, ' $1');
}
