/** Parts in which a semicolon does not end the statement: comments, strings, quoted names and function bodies. */
const WHOLE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/g;

/** The statements of a migration, each without its semicolon. */
export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let from = 0;
  const end = (to: number) => {
    const statement = text.slice(from, to).trim();
    if (statement.replaceAll(WHOLE, (part) => (/^(--|\/\*)/.test(part) ? '' : part)).trim() !== '')
      statements.push(statement);
    from = to + 1;
  };
  const covered = text.replaceAll(WHOLE, (part) => ' '.repeat(part.length));
  for (let at = covered.indexOf(';'); at >= 0; at = covered.indexOf(';', at + 1)) end(at);
  end(text.length);
  return statements;
}
