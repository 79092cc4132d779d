import type { InstalledAgent } from "../../views/index.ts";

/** What contains an agent, in words. */
export const containmentText = ({
  containedBy,
  profile,
}: Pick<InstalledAgent, "containedBy" | "profile">): string =>
  containedBy === "own"
    ? "contained by its own sandbox"
    : containedBy === "pawl"
      ? "contained by bubblewrap"
      : profile === "full"
        ? "not contained, as asked"
        : "not contained";
