/** The reference pages about credit decisions, as Markdown, from the default policy and the outcome scripts. */
import { defaultPolicy, printPolicy, SCRIPTS } from '#modules/underwriting';

export function printCreditPages(): Record<string, string> {
  return {
    'docs/reference/credit-policy.md': `${POLICY_HEAD}\n${printPolicy(defaultPolicy().graph)}`,
    'docs/reference/outcome-scripts.md': [
      SCRIPTS_HEAD,
      ...Object.entries(SCRIPTS).map(([name, sentence]) => `| \`${name}\` | ${sentence} |`),
      '',
    ].join('\n'),
  };
}

const POLICY_HEAD = `# The default credit policy

Printed by \`npm run generate\` from [policies/default.json](../../policies/default.json): do not edit this page. How to read, change,
try and put in force a policy of your own is told in [the guide](../guides/credit-policy.md).
`;

const SCRIPTS_HEAD = `# Outcome scripts of the sandbox

Printed by \`npm run generate\`: do not edit this page.

In a sandbox a buyer chooses what becomes of its applications by how it is called: its \`external_id\` is the script’s name or ends with it
behind a hyphen or an underscore (\`cafe-in-review\`), or the part before the @ of its \`contact_email\`, or of one of its contacts’ e-mail
addresses, is that name (\`in-review@cafe.example\`). The \`external_id\` comes first. The policy is asked all the same, and its answer kept beside the
script’s; where the policy or the risk source fails, the application is treated as in production. Limits are whole units of the
facility’s currency, and never above what was asked for.

| Script | What happens |
| --- | --- |`;
