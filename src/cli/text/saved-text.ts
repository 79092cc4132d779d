import type { Saved } from "../../flow/take-down.ts";
import type { Paint } from "./paint.ts";

/** What was kept, each with the command that brings it back. */
export const savedText = (saved: readonly Saved[], paint: Paint): readonly string[] =>
  saved.map(({ what, bringBack }) => `  kept ${paint.plain(what)}; back with: ${paint.bold(bringBack)}`);
