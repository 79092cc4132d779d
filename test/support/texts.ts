import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

/** A text in the source, with `…` where something is put in. */
export interface SourceText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The nearest property that it is the value of. */
  readonly property: string | undefined;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every text that the source of the command holds, read by a parser: no hint is missed for how it is written. */
export const sourceTexts = (): readonly SourceText[] => textsIn("src");

/**
 * The same for a folder, of the page also what stands between its tags; where words are asked for, from files that have
 * them. With `tests`, also the names and texts of tests.
 */
export function textsIn(
  folder: string,
  words = /(?:)/,
  { tests = false }: { readonly tests?: boolean } = {},
): readonly SourceText[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|m?js)$/.test(file) && (tests || !file.endsWith(".test.ts")))
    .map((file) => `${folder}/${file}`)
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(`${ROOT}${file}`, "utf8");
      if (!words.test(source)) return [];
      const found: SourceText[] = [];
      visit(
        parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }),
        undefined,
        (text, start, property) =>
          found.push({ file, line: source.slice(0, start).split("\n").length, text, property }),
      );
      return found;
    });
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

type Found = (text: string, start: number, property: string | undefined) => void;

function visit(given: unknown, property: string | undefined, found: Found): void {
  if (Array.isArray(given)) {
    for (const one of given) visit(one, property, found);
    return;
  }
  if (typeof given !== "object" || given === null || !("type" in given)) return;
  const node = given as Node;
  if (node.type === "Literal" && typeof node["value"] === "string")
    found(node["value"], node.start, property);
  if (node.type === "JSXText") found(String(node["value"]), node.start, property);
  if (node.type === "TemplateLiteral") {
    const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
    found(quasis.map(({ value }) => value.cooked).join("…"), node.start, property);
  }
  const key = node.type === "Property" ? (node["key"] as { name?: string; value?: string }) : undefined;
  const name = key === undefined ? property : (key.name ?? key.value);
  for (const [member, value] of Object.entries(node)) if (member !== "type") visit(value, name, found);
}
