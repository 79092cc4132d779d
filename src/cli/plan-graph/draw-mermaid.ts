import { safeText } from "../../domain/index.ts";
import type { PlanPicture } from "./plan-picture.ts";

/** A Mermaid flowchart. Arrows point from what is done first to what waits for it; dotted ones from substeps. */
export function drawMermaid({ nodes, edges }: PlanPicture): string {
  const ids = new Map(nodes.map(({ anchor }, index) => [anchor, `n${index}`]));
  const critical = nodes.filter(({ isCritical }) => isCritical).map(({ anchor }) => ids.get(anchor));
  return [
    "flowchart LR",
    ...nodes.map(({ anchor, title }) => `  ${ids.get(anchor)}["${label(anchor)}: ${label(title)}"]`),
    ...edges
      .filter(({ to }) => ids.has(to))
      .map(
        ({ from, to, kind }) => `  ${ids.get(to)} ${kind === "substep" ? "-.->" : "-->"} ${ids.get(from)}`,
      ),
    ...(critical.length > 0
      ? ["  classDef critical stroke-width:3px", `  class ${critical.join(",")} critical`]
      : []),
  ].join("\n");
}

/**
 * Text in a label, where quotes, tags, backticks and `%%{…}%%` directives all mean something to Mermaid: every ASCII
 * sign that is not plain punctuation becomes a character code.
 */
const label = (text: string): string =>
  safeText(text).replace(/[^A-Za-z0-9 .,:_\-/()\u0080-\u{10ffff}]/gu, (sign) => `#${sign.codePointAt(0)};`);
