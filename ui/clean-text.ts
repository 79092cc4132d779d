import { options } from "preact";
import { safeBlock } from "../src/domain/safe-text.ts";

/** Attributes that people read, or that are read to them. */
const READ = ["title", "aria-label", "placeholder"] as const;

/**
 * Makes every text that is about to be shown harmless, as the command line does: titles, names and output come from
 * plans and agents, and a mark of direction in them would make a line read as another.
 *
 * Here, where elements are made, no view can forget it. What goes back to the server (names of plans, steps, folders)
 * stays as it is.
 */
export function cleanAllText(): void {
  options.vnode = (node) => {
    const made = node as unknown as { readonly type: unknown; props: unknown };
    if (typeof made.props === "string") made.props = safeBlock(made.props);
    else if (typeof made.type === "string") cleanAttributes(made.props as Record<string, unknown>);
  };
}

function cleanAttributes(props: Record<string, unknown>): void {
  for (const name of READ) {
    const value = props[name];
    if (typeof value === "string") props[name] = safeBlock(value);
  }
}
