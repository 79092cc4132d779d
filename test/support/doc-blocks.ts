import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What stands between two fences of a page. */
export interface DocBlock {
  readonly page: string;
  readonly line: number;
  /** The nearest heading above it, without its marks. */
  readonly heading: string;
  /** What stands after the opening fence; empty when nothing does. */
  readonly language: string;
  /** Its lines, without the indentation of its fence. */
  readonly text: string;
}

/** The pages that people read. Decisions tell what was weighed once, and are not meant to be pasted. */
export const DOC_PAGES: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(`${root}/docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

export const readDocPage = (page: string): string => readFileSync(`${root}/${page}`, "utf8");

/** Every fenced block of a page, in the order of the page. */
export function docBlocks(page: string): readonly DocBlock[] {
  const blocks: DocBlock[] = [];
  let heading = "";
  let open: { line: number; language: string; fence: string; indent: number; lines: string[] } | undefined;
  for (const [index, line] of readDocPage(page).split("\n").entries()) {
    const [, indent = "", fence, language = ""] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    // A longer fence holds shorter ones.
    if (open && fence === open.fence) {
      blocks.push({ page, heading, line: open.line, language: open.language, text: open.lines.join("\n") });
      open = undefined;
    } else if (open) open.lines.push(line.slice(open.indent));
    else if (fence !== undefined)
      open = { line: index + 1, language, fence, indent: indent.length, lines: [] };
    else if (/^#+ /.test(line)) heading = line.replace(/^#+ /, "");
  }
  if (open) throw new Error(`${page}:${open.line}: a block that never ends`);
  return blocks;
}

/** Code between single backticks in the prose and tables of a page, with the line where it starts; it may go over two lines. */
export function inlineCode(page: string): readonly { readonly line: number; readonly code: string }[] {
  let open: string | undefined;
  const prose = readDocPage(page)
    .split("\n")
    .map((line) => {
      const fence = /^ *(`{3,})/.exec(line)?.[1];
      if (fence === undefined || (open !== undefined && open !== fence))
        return open === undefined ? line : "";
      open = open === undefined ? fence : undefined;
      return "";
    })
    .join("\n");
  return [...prose.matchAll(/(?<!`)`((?:[^`\n]|\n(?!\s*\n))+)`(?!`)/g)].map(({ 1: code = "", index }) => ({
    line: prose.slice(0, index).split("\n").length,
    code: code.replaceAll(/\s*\n\s*/g, " "),
  }));
}
