import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  go,
  ini,
  java,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

type Language = keyof typeof LANGUAGES;

const BY_ENDING: Readonly<Record<string, Language>> = {
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  css: "css",
  scss: "css",
  go: "go",
  toml: "ini",
  ini: "ini",
  java: "java",
  json: "json",
  kt: "kotlin",
  php: "php",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sql: "sql",
  swift: "swift",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "typescript",
  jsx: "typescript",
  mjs: "typescript",
  cjs: "typescript",
  html: "xml",
  xml: "xml",
  svg: "xml",
  vue: "xml",
  yml: "yaml",
  yaml: "yaml",
};

export const languageOf = (path: string): Language | undefined => {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
};

/** A piece of a line, and what it is. */
export interface Token {
  readonly text: string;
  readonly kind: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Longer texts are data, and take longer than a person waits for colours. */
const LONGEST = 60_000;

/**
 * Lines with their words separated. The library answers with markup; it is read here as text and never becomes markup of
 * the page.
 */
export function highlight(
  lines: readonly string[],
  language: Language,
): readonly (readonly Token[])[] | undefined {
  const text = lines.join("\n");
  if (text.length > LONGEST) return undefined;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  const found: Token[][] = [[]];
  const open: string[] = [];
  for (const [piece, kind, end] of value.matchAll(/<span class="hljs-([^" ]*)[^"]*">|(<\/span>)|[^<]+/g)) {
    if (kind !== undefined) open.push(kind);
    else if (end !== undefined) open.pop();
    else {
      const plain = piece.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
      const parts = plain.split("\n");
      parts.forEach((part, index) => {
        if (index > 0) found.push([]);
        if (part !== "") found.at(-1)!.push({ text: part, kind: open.at(-1) ?? "" });
      });
    }
  }
  return found.length === lines.length ? found : undefined;
}
