import type { Item } from "../checklists.ts";
import { Icon } from "./icon.tsx";

const MARKS: Readonly<Record<string, string>> = {
  completed: "done",
  deferred: "deferred",
  in_progress: "begun",
  open: "open",
};

/** The box of an item: ticked, begun, deferred or open. */
export const ItemBox = ({ status }: Pick<Item, "status">) => (
  <span class={`box ${status}`} role="img" aria-label={MARKS[status] ?? status}>
    {status === "completed" && <Icon name="check" />}
  </span>
);
