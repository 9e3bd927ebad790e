/**
 * The exact JSON reader: reads a text according to RFC 8259 and names its first error. It runs for suspicious or broken bodies only, so it
 * favours clear messages over speed; 256 KiB of the worst input take some tens of milliseconds.
 */
export interface JsonIssue {
  code: 'INVALID_JSON' | 'INVALID_VALUE' | 'TOO_BIG';
  /** Rooted at `body`, array positions as numbers: `body.line_items.0.price`. */
  path: string;
  message: string;
}

/** The body itself is level 1. Real requests need 5. */
export const DEPTH_MAX = 32;

/** 2^53 - 1. Beyond it, neighbouring integers become the same number. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

/** Where a value is: the keys and positions that lead to it. */
export type JsonPath = readonly (string | number)[];

/**
 * `ok` if `JSON.parse` returns exactly what the text says. `decimals` are the paths of integers written with a fraction or an exponent
 * (`100.00`, `1E2`), which the value does not show. Otherwise the first issue in reading order.
 */
export type JsonExamination = { ok: true; decimals: readonly JsonPath[] } | { ok: false; issue: JsonIssue };

export function examineJson(text: string): JsonExamination {
  try {
    return { ok: true, decimals: new Examiner(text).examine() };
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, issue: fault.issue };
    throw fault;
  }
}

/** Carries an issue up from any depth of the text. */
class Fault extends Error {
  readonly issue: JsonIssue;
  constructor(issue: JsonIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

const WORD = /[-+.\w]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Advice for common mistakes. White space is a mistake only inside a string. */
const HINTS: Record<string, string> = {
  "'": ' JSON strings use double quotes.',
  '/': ' JSON has no comments.',
  '#': ' JSON has no comments.',
  '\n': ' Write it as \\n.',
  '\r': ' Write it as \\r.',
  '\t': ' Write it as \\t.',
};

class Examiner {
  readonly #text: string;
  /** Path of the current value. Its length is the nesting; DEPTH_MAX bounds it, and so the recursion. */
  readonly #path: (string | number)[] = [];
  readonly #decimals: JsonPath[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  examine(): readonly JsonPath[] {
    this.#skipSpace();
    if (this.#at === this.#text.length) throw this.#fault('INVALID_JSON', 'The body is empty.');
    this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('nothing after the value');
    return this.#decimals;
  }

  #value(): void {
    const first = this.#text[this.#at];
    if (first === '{') {
      this.#enter();
      this.#object();
      this.#at += 1;
    } else if (first === '[') {
      this.#enter();
      this.#array();
      this.#at += 1;
    } else if (first === '"') this.#checkString(this.#string(), 'text');
    else this.#word();
  }

  #enter(): void {
    if (this.#path.length >= DEPTH_MAX)
      throw this.#fault('TOO_BIG', `Objects and arrays may be nested at most ${DEPTH_MAX} levels deep.`);
    this.#at += 1;
    this.#skipSpace();
  }

  /** Reads from past the opening brace to the closing one. `#array` does the same with brackets. */
  #object(): void {
    if (this.#text[this.#at] === '}') return;
    const keys = new Set<string>();
    for (;;) {
      if (this.#text[this.#at] !== '"') throw this.#unexpected('a key in double quotes');
      const key = this.#string();
      this.#path.push(key);
      this.#checkKey(key, keys);
      keys.add(key);
      this.#skipSpace();
      if (this.#text[this.#at] !== ':') throw this.#unexpected('":" after the key');
      this.#at += 1;
      this.#skipSpace();
      this.#value();
      this.#path.pop();
      if (this.#isLast('}')) return;
    }
  }

  #array(): void {
    if (this.#text[this.#at] === ']') return;
    for (let index = 0; ; index += 1) {
      this.#path.push(index);
      this.#value();
      this.#path.pop();
      if (this.#isLast(']')) return;
    }
  }

  /** Called after a value. Stops at the closing bracket, or past the comma. */
  #isLast(close: '}' | ']'): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === close) return true;
    if (this.#text[this.#at] !== ',') throw this.#unexpected(`"," or "${close}"`);
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === close) throw this.#unexpected('another entry after the comma');
    return false;
  }

  /** Reads the string at the opening quote and unescapes it. */
  #string(): string {
    const start = this.#at;
    let isEscaped = false;
    for (this.#at += 1; ; ) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22 /* " */) break;
      if (code === 0x5c /* \ */) {
        isEscaped = true;
        const length = this.#match(ESCAPE).length;
        if (length === 0) throw this.#unexpected('an escape such as \\n, \\" or \\u00e9');
        this.#at += length;
      } else if (code >= 0x20) this.#at += 1;
      else throw this.#unexpected('the rest of a string and its closing quote'); // NaN at the end lands here, too.
    }
    this.#at += 1;
    const raw = this.#text.slice(start, this.#at);
    return isEscaped ? JSON.parse(raw) : raw.slice(1, -1);
  }

  /** PostgreSQL text cannot hold NUL, and UTF-8 cannot encode a lone surrogate: neither could be stored as given. */
  #checkString(text: string, what: 'text' | 'key'): void {
    if (text.includes('\0')) throw this.#fault('INVALID_VALUE', `The ${what} contains NUL (\\u0000).`);
    if (!text.isWellFormed())
      throw this.#fault(
        'INVALID_VALUE',
        `The ${what} contains half of a surrogate pair (\\ud800 to \\udfff).`,
      );
  }

  #checkKey(key: string, seen: ReadonlySet<string>): void {
    this.#checkString(key, 'key');
    // The classic way to reach a prototype through code that copies objects key by key.
    if (key === '__proto__') throw this.#fault('INVALID_VALUE', 'The key "__proto__" is not allowed.');
    if (seen.has(key))
      throw this.#fault('INVALID_JSON', `The key "${shown(key)}" appears twice in one object.`);
  }

  #word(): void {
    const word = this.#match(WORD);
    if (NUMBER.test(word)) this.#checkNumber(word);
    else if (word !== 'true' && word !== 'false' && word !== 'null') throw this.#unexpected('a value');
    this.#at += word.length;
  }

  #checkNumber(literal: string): void {
    const value = Number(literal);
    if (Math.abs(value) > INTEGER_MAX)
      throw this.#fault(
        'TOO_BIG',
        `${shown(literal)} is beyond ±${INTEGER_MAX} (2^53 - 1), the largest exact integer.`,
      );
    if (value === 0 && /^[-0.]*[1-9]/.test(literal))
      throw this.#fault('INVALID_VALUE', `${shown(literal)} is too close to 0 to be distinguished from it.`);
    if (/[.eE]/.test(literal) && Number.isInteger(value)) this.#decimals.push([...this.#path]);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #fault(code: JsonIssue['code'], message: string): Fault {
    return new Fault({
      code,
      path: ['body', ...this.#path.map((step) => shown(String(step)))].join('.'),
      message,
    });
  }

  /** A syntax error, by line and column: the path would be a guess. */
  #unexpected(expected: string): Fault {
    const lines = this.#text.slice(0, this.#at).split(/\r\n|\n|\r/);
    const column = [...(lines.at(-1) ?? '')].length + 1;
    const next = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const found =
      this.#at < this.#text.length ? `found ${named(this.#match(WORD) || next)}` : 'the body ends';
    const message = `Line ${lines.length}, column ${column}: expected ${expected}, but ${found}.${HINTS[next] ?? ''}`;
    return new Fault({ code: 'INVALID_JSON', path: 'body', message });
  }
}

/** Untrusted text for one line of a message: of bounded length and printable. */
function shown(text: string): string {
  const printable = text.slice(0, 100).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return text.length > 100 ? `${printable}…` : printable;
}

function named(character: string): string {
  if (character === '\n' || character === '\r') return 'a line break';
  if (character === '\t') return 'a tab';
  if (character === '"') return 'a double quote';
  if (/^[\p{C}\p{Z}]$/u.test(character))
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `"${shown(character)}"`;
}
