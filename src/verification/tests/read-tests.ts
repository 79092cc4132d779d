/** What a test file says about itself, by the words that test frameworks of many languages have in common. */
export interface TestsRead {
  /** The names of its cases. */
  readonly cases: readonly string[];
  /** How many cases or groups are skipped; one that lets only itself run skips all others. */
  readonly skipped: number;
  /** Cases with nothing in them. */
  readonly empty: number;
  /** Assertions that could fail. */
  readonly assertions: number;
  /** Assertions about constants, or of something against itself. */
  readonly trivial: number;
}

const NO_TESTS: TestsRead = { cases: [], skipped: 0, empty: 0, assertions: 0, trivial: 0 };

/** Reads a test file; one that is not there has no tests. */
export function readTests(path: string, text: string | undefined): TestsRead {
  if (text === undefined) return NO_TESTS;
  const code = withoutComments(path, text);
  const trivial = countOf(code, TRIVIAL);
  return {
    cases: CASES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = ""]) => name)),
    skipped: countOf(code, SKIPPED),
    empty: countOf(code, EMPTY),
    assertions: Math.max(0, countOf(code, ASSERTIONS) - trivial),
    trivial,
  };
}

/** Several patterns may mean the same words; those count once. */
function countOf(code: string, patterns: readonly RegExp[]): number {
  const places = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ 0: words, index }) => index + words.search(/\S/)),
  );
  return new Set(places).size;
}

/** A line that only talks about tests has none. */
function withoutComments(path: string, text: string): string {
  if (/\.(?:py|rb|sh|bash|yml|yaml|ex|exs|pl|r)$/i.test(path))
    return text.replaceAll(/(^|\s)#(?!\[).*$/gm, "$1");
  // Behind the last end of a comment each beginning of one would be searched to the end of the file.
  const end = text.lastIndexOf("*/") + 2;
  const code = end < 2 ? text : text.slice(0, end).replaceAll(/\/\*[\s\S]*?\*\//g, " ") + text.slice(end);
  return code.replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/*
 * Agents write these files, so no pattern may take time that grows faster than the file: leading blanks stay within their
 * line, and what may be repeated and contain the pattern's own beginning has a limit.
 */
const CASES = [
  /\b(?:it|test|specify)(?:\.(?!skip|only|todo|fixme|skipIf|runIf|describe)\w{1,40}){0,4}\s*(?:\([^'"`()]*\)\s*)?\(\s*["'`]([^"'`]*)["'`]/g,
  /\b(?:(?:it|test|specify)\.only|fit|fspecify)\s*\(\s*["'`]([^"'`]*)["'`]/g,
  /^[ \t]*(?:async\s+)?def\s+(test\w*)\s*\(/gm,
  /^func\s+((?:Test|Fuzz)\w*)\s*\(/gm,
  /#\[(?:\w+::)?test\b[^\]]{0,200}\]\s*(?:#\[[^\]]{0,200}\]\s*){0,8}(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
  /@(?:Test|ParameterizedTest|RepeatedTest)\b[\s\S]{0,200}?\b(?:void|fun)\s+(\w+|`[^`]+`)\s*\(/g,
  /\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^\]]{0,200}\][\s\S]{0,200}?\b(?:void|Task)\s+(\w+)\s*\(/g,
  /^[ \t]*(?:it|test|specify)\s+["']([^"']*)["']\s+do\b/gm,
  /\bfunction\s+(test\w+)\s*\(/g,
] as const;

const SKIPPED = [
  /\b(?:it|test|describe|context|suite|specify|bench)\.(?:\w{1,40}\.){0,4}(?:skip|only|fixme)\b/g,
  /\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s*(?:\(|["'])/g,
  /@(?:pytest\.mark\.(?:skip|xfail)|unittest\.(?:skip|expectedFailure)|skip)\b(?!if|If|Unless)/g,
  /\b(?:self\.skipTest|pytest\.(?:skip|xfail)|[tb]\.Skip(?:f|Now)?|\w+\.skipTest|markTestSkipped)\s*\(/g,
  /#\[ignore\b/g,
  /@(?:Disabled|Ignore)\b/g,
  /\[(?:Ignore|Explicit)\b/g,
  /\bSkip\s*=\s*"/g,
  /\bskip\s*:\s*(?:true|["'`])/g,
] as const;

const ASSERTIONS = [
  /\bexpect\w*\s*\(/g,
  /\bassert\w*(?:\.\w{1,40}){0,4}!?\s*\(/g,
  /^[ \t]*assert\s+(?![=(])/gm,
  /\b(?:require|assert|is|t|s)\.(?:Equal|NotEqual|Nil|NotNil|True|False|NoError|Error|Errorf|Fatal|Fatalf|Fail|FailNow|Len|Contains|equal|deepEqual|is|not|ok|throws|strictEqual|match|same|like|rejects)\s*\(/g,
  /\bAssert\.\w+\s*\(/g,
  /\.should\b/g,
  /\b(?:throw\s+new|raise\s+\w|process\.exit\s*\(\s*1|sys\.exit\s*\(\s*1|exit\s+1|panic!?\s*\(|os\.Exit\s*\(\s*1|fail\s*\()/g,
] as const;

const LITERAL = String.raw`(?:true|false|True|False|None|null|undefined|nil|-?\d+(?:\.\d+)?|"[^"\n]*"|'[^'\n]*')`;
const SAME = String.raw`([\w.[\]]{1,200})`;

const TRIVIAL = [
  // expect(true).toBe(true), expect(1).toEqual(1), expect("a").toBeTruthy()
  new RegExp(String.raw`\bexpect\s*\(\s*${LITERAL}\s*\)\s*(?:\.\w+)*\s*\(?\s*(?:${LITERAL})?\s*\)?`, "g"),
  // expect(x).toBe(x)
  new RegExp(
    String.raw`\bexpect\s*\(\s*${SAME}\s*\)\s*\.\s*to(?:Be|Equal|StrictEqual|equal)\s*\(\s*\1\s*\)`,
    "g",
  ),
  // assert.equal(1, 1), assertTrue(true), assert!(true), assert(true), t.ok(true)
  new RegExp(
    String.raw`\b(?:assert\w*(?:\.\w{1,40}){0,4}!?|(?:t|is|require)\.\w+|Assert\.\w+)\s*\(\s*(?:t\s*,\s*)?${LITERAL}(?:\s*,\s*${LITERAL})*\s*\)`,
    "g",
  ),
  // assert.equal(x, x)
  new RegExp(String.raw`\bassert\w*(?:\.\w{1,40}){0,4}!?\s*\(\s*${SAME}\s*,\s*\1\s*\)`, "g"),
  // assert True, assert 1 == 1
  new RegExp(String.raw`^[ \t]*assert\s+${LITERAL}(?:\s*(?:==|is|<=|>=)\s*${LITERAL})?\s*$`, "gm"),
  // assert x == x
  new RegExp(String.raw`^[ \t]*assert\s+${SAME}\s*(?:==|is)\s*\1\s*$`, "gm"),
] as const;

const EMPTY = [
  /\b(?:it|test|specify)\s*\(\s*["'`][^"'`]*["'`]\s*,\s*(?:async\s*)?(?:\(\w*\)|function\s*(?:\w+\s*)?\(\w*\)|\w+)\s*(?:=>\s*)?\{\s*\}\s*\)/g,
  /^[ \t]*(?:async\s+)?def\s+test\w*\s*\([^)]{0,500}\)[^:\r\n]{0,200}:\s*(?:(?:"""[^"]*"""|'''[^']*''')\s*)?(?:pass|\.\.\.)\s*$/gm,
  /^func\s+Test\w*\s*\([^)]{0,500}\)\s*\{\s*\}/gm,
  /#\[(?:\w+::)?test\b[^\]]{0,200}\]\s*(?:async\s+)?fn\s+\w+\s*\(\s*\)\s*\{\s*\}/g,
  /@(?:Test|ParameterizedTest)\b[^{;(]{0,300}\([^)]{0,300}\)[^{;]{0,300}\{\s*\}/g,
  /^[ \t]*(?:it|test)\s+["'][^"']*["']\s+do\s+end\b/gm,
] as const;
