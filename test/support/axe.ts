import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Problem {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The page's own rules would refuse it: such a window is opened with `bypassCSP`. */
export const addAxe = async (page: Page): Promise<void> => void (await page.evaluate(AXE));

/** Everything that axe finds, in words. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const violations = await page.evaluate<readonly Problem[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
  );
}
