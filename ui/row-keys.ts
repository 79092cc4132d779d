import { useEffect } from "preact/hooks";
import { isTyping } from "./keys.ts";

/** What a person goes through with j and k, in every view. */
const ROWS = [
  ".step-card",
  ".step-row",
  ".card a.strong",
  ".finding .choices > :first-child",
  ".session-table a.strong",
  ".session-table .fold",
  ".checkpoints a",
  ".event-line .what a",
  ".rows a",
  ".found a",
  ".worktree-cards .where a",
  ".lifeline-head a",
  ".events .call > button",
  ".file > summary",
]
  .map((row) => `main ${row}`)
  .join(", ");

const MOVES: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const ASIDE: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** j and k, and the arrows where nothing else needs them, go from row to row; left and right from column to column. */
export function useRowKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      const isLetter = event.key === "j" || event.key === "k";
      const from = document.activeElement;
      const isRow = from?.matches(ROWS) ?? false;
      if (!isLetter && !isRow && from !== document.body && from?.localName !== "main") return;
      const next =
        event.key in MOVES ? beside(from, MOVES[event.key]!) : isRow ? across(from, ASIDE[event.key]) : null;
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function beside(from: Element | null, by: number): HTMLElement | undefined {
  const column = from?.closest(".column") ?? document;
  const rows = [...column.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.checkVisibility());
  const at = rows.indexOf(from as HTMLElement);
  return at === -1 ? rows[0] : rows[at + by];
}

/** The first card of the next column that has one. */
function across(from: Element | null, by: number | undefined): HTMLElement | undefined {
  const column = from?.closest(".column");
  if (!column || by === undefined) return undefined;
  const columns = [...document.querySelectorAll(".column")];
  for (let at = columns.indexOf(column) + by; at >= 0 && at < columns.length; at += by) {
    const card = columns[at]!.querySelector<HTMLElement>(ROWS);
    if (card) return card;
  }
  return undefined;
}
