/** Whether a path of the repository is meant by one of these patterns: `test/**`, `**\/*.test.ts`, `{a,b}/*_test.go`. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(expressionOf);
  return (path) => expressions.some((one) => one.test(path));
}

function expressionOf(pattern: string): RegExp {
  const plain = pattern.replace(/^\.?\//, "").replace(/\/$/, "/**");
  let text = "";
  let depth = 0;
  for (let at = 0; at < plain.length;) {
    const [piece, length, opened] = pieceAt(plain, at, depth);
    text += piece;
    at += length;
    depth += opened;
  }
  return new RegExp(`^${text}${")".repeat(Math.max(depth, 0))}$`);
}

/** What stands at a place of a pattern: the expression for it, its length, and by how much it changes the open braces. */
function pieceAt(plain: string, at: number, depth: number): readonly [string, number, number] {
  if (plain.startsWith("**/", at)) return ["(?:[^/]+/)*", 3, 0];
  if (plain.startsWith("**", at)) return [".*", 2, 0];
  const one = plain[at]!;
  if (one === "*") return ["[^/]*", 1, 0];
  if (one === "?") return ["[^/]", 1, 0];
  if (one === "{") return ["(?:", 1, 1];
  if (one === "}" && depth > 0) return [")", 1, -1];
  if (one === "," && depth > 0) return ["|", 1, 0];
  return [one.replaceAll(/[.+^$()|[\]\\{}]/g, String.raw`\$&`), 1, 0];
}
