/** The outcome scripts of the sandbox as a page of documents. */
import { SCRIPTS } from '#modules/underwriting';

const HEAD = `# Outcome scripts

Printed by \`npm run generate\`: do not edit this page. In a sandbox the name of a buyer chooses what becomes of its applications for credit:
its \`external_id\` is one of these words, or ends with it behind a hyphen or an underscore (\`cafe-in-review\`); or one of its contacts has
it as the part before the @ of an e-mail address (\`in-review@cafe.example\`). The \`external_id\` comes first. All other buyers are judged by the
credit policy. In production none of this holds.

| Script | What happens |
| --- | --- |
`;

export function printScripts(): string {
  return `${HEAD}${Object.entries(SCRIPTS)
    .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
    .join('\n')}\n`;
}
