import type { LineReader } from "./agent-preset.ts";

/** Output without a form: each line is a line for people. */
export const plainReader = (): LineReader => (line) =>
  line.trim() === "" ? [] : [{ kind: "text", text: line }];
