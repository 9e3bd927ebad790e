// Documents, settings and the comments of the program are plain technical English.
import { type Check, innocent, offence } from './check.ts';
import { commentsOf, isProgram, isScript } from './syntax.ts';
import { GENERATED, type Tree } from './tree.ts';

interface Turn {
  turn: RegExp;
  /** What is wrong with it, and what to write. */
  instead: string;
}

const TURNS: Turn[] = [
  {
    turn: /\b(whoever|whomever|whosoever)\b/i,
    instead: 'name who it is: the caller, the buyer, the operator',
  },
  { turn: /\bsomebody\b/i, instead: 'name who it is' },
  { turn: /\bmeanwhile\b/i, instead: 'say during what: "while the request runs"' },
  { turn: /\banew\b/i, instead: '"again" or "new"' },
  { turn: /\b(is|are|was|were|be|been|being) told\b/i, instead: '"receives", "learns" or "is notified"' },
  { turn: /\b(tells|tell|telling) of\b/i, instead: '"reports" or "describes"' },
  { turn: /\bhears? of\b/i, instead: '"is notified of" or "receives"' },
  { turn: /\bway back\b/i, instead: '"return URL"' },
  { turn: /\bmint(s|ed|ing)?\b/i, instead: '"create"' },
  { turn: /\bwish(es|ed)?\b/i, instead: '"request" or "input"' },
  { turn: /\b(for ever|evermore|thereof|wherein|thereby|hence)\b/i, instead: 'modern English' },
  { turn: /\bplanned anew\b/i, instead: '"unprepared"' },
  { turn: /\bby luck\b/i, instead: '"by accident"' },
  { turn: /\bWhat of\b/, instead: '"the part of"' },
  { turn: /\bof before\b/i, instead: '"earlier", or before which change' },
  { turn: /\bhowever many\b/i, instead: '"regardless of their number"' },
  { turn: /\bwhatever\b/i, instead: '"regardless of"' },
  { turn: /\b(at most|older than|every|by|after|with|of) so many\b/i, instead: 'the name of the parameter' },
  { turn: /\b(goes|went) on\b/i, instead: '"continues"' },
  { turn: /\bby itself\b/i, instead: '"automatically" or "on its own"' },
  {
    turn: /\bbehind (an?|the|this|that|its) (last )?(cursor|position|event|page|record|item|row)\b/i,
    instead: '"after"',
  },
  { turn: /\b(owed|maintained|paid|runs?) beside\b/i, instead: '"in addition to" or "while"' },
  { turn: /\b(null|undefined|false|empty|throws [A-Z_]+) where\b/i, instead: '"if"' },
  { turn: /\bis no (transition|notice|default|token|application)\b/i, instead: '"is not a"' },
  {
    turn: /\b(a|an|the|that|this|each|every|no|our|any|one|some|public|live|company|another|which|several|registers' own) registers?\b(?! (id|number|numbers|ids)\b)/i,
    instead: '"registry": register is a verb here',
  },
];

/** Whether people read the file as a document: Markdown and settings. */
const isDocument = (path: string) => /\.(md|env)$/.test(path);

export const proseIsPlain: Check = {
  name: 'prose-is-plain',
  run: (tree) =>
    tree.paths
      .filter((path) => !GENERATED.has(path) && (isDocument(path) || (isScript(path) && isProgram(path))))
      .filter((path) => path !== 'docs/glossary.md')
      .flatMap((path) =>
        proseOf(tree, path).flatMap(({ line, text }) => {
          const found = TURNS.find(({ turn }) => turn.test(text));
          if (found === undefined) return [];
          const sentence = `"${found.turn.exec(text)?.[0]}" is not plain English: write ${found.instead}.`;
          return [{ path, line, sentence }];
        }),
      ),
  examples: [
    offence('docs/start.md', 'A\nwhoever has the link may open it.', 2),
    offence('config.default.env', '# Nobody is asked meanwhile.'),
    offence('src/app.ts', '/** The buyer is told of it. */\nrun();'),
    offence('src/app.ts', 'run(); // as a register says'),
    offence('src/app.ts', '/** What of the amount is paid. */\nrun();'),
    offence('docs/start.md', 'Events behind this position.'),
    innocent('src/app.ts', "const text = 'whoever';\n// Register the buyer first."),
    innocent('docs/start.md', 'The trade register number. Run `meanwhile()`.'),
    innocent('docs/start.md', 'Run it behind a proxy.'),
    innocent('test/story.test.ts', '// whoever'),
  ],
};

function proseOf(tree: Tree, path: string): { line: number; text: string }[] {
  if (isScript(path)) return commentsOf(tree.source(path));
  return tree
    .text(path)
    .replaceAll(/^( *)```[\s\S]*?^ *```/gm, (code) => code.replaceAll(/[^\n]/g, ' '))
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.replaceAll(/`[^`]*`/g, '') }));
}
