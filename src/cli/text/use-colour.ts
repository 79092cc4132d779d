/**
 * Whether a stream gets colour.
 *
 * A wish for none wins over a wish for some: colour that should not be there breaks logs and readers, colour that is
 * missing breaks nothing.
 */
export function useColour(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): boolean {
  const force = env["FORCE_COLOR"] ?? "";
  if (refused || (env["NO_COLOR"] ?? "") !== "" || force === "0") return false;
  return force !== "" || (isTerminal && env["TERM"] !== "dumb");
}
