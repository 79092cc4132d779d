import { useEffect, useRef } from "preact/hooks";
import { say } from "./parts/notes.tsx";
import type { Findings, Overview } from "./types.ts";
import { plural } from "./words.ts";

const CHOICE = "pawl-notify";

const isWanted = (): boolean =>
  localStorage.getItem(CHOICE) === "yes" &&
  "Notification" in globalThis &&
  Notification.permission === "granted";

/** Opt-in: the browser asks only a person who asked for it. */
export async function askToNotify(): Promise<void> {
  if (!("Notification" in globalThis)) return say("This browser does not support notifications.", "bad");
  if (isWanted()) {
    localStorage.setItem(CHOICE, "no");
    return say("Notifications are off.");
  }
  const answer = await Notification.requestPermission();
  localStorage.setItem(CHOICE, answer === "granted" ? "yes" : "no");
  say(
    answer === "granted"
      ? "This page notifies you when something needs you, or a run ends."
      : "The browser does not allow notifications.",
    answer === "granted" ? "good" : "bad",
  );
}

/** Only while the page is hidden: a person who looks sees it anyway. Names of plans and counts, nothing that an agent wrote. */
function notify(title: string, tag: string): void {
  if (!document.hidden || !isWanted()) return;
  const shown = new Notification(title, { tag, icon: "/pawl.svg" });
  shown.addEventListener("click", () => {
    globalThis.focus();
    shown.close();
  });
}

/** Says when more needs a person than before, and when a run has ended. */
export function useNotifications(seen: Overview | undefined, found: Findings | undefined): void {
  const count = found?.counts.decide;
  const before = useRef<number>();
  useEffect(() => {
    if (count === undefined) return;
    if (before.current !== undefined && count > before.current)
      notify(
        `${seen?.repository ?? "Pawl"}: ${plural(count, "thing")} ${count === 1 ? "needs" : "need"} you`,
        "needs",
      );
    before.current = count;
  }, [count]);
  const running = useRef<ReadonlySet<string>>();
  useEffect(() => {
    if (seen === undefined) return;
    const now = new Set(
      seen.runs.filter(({ status }) => status === "in_progress").map(({ run_id }) => run_id),
    );
    for (const { run_id, plan_path } of seen.runs)
      if (running.current?.has(run_id) && !now.has(run_id))
        notify(`${seen.repository}: the run of ${plan_path ?? "a workflow"} has ended`, `run ${run_id}`);
    running.current = now;
  }, [seen?.runs]);
}

let shown = "";

/** A dot on the page's icon: red while something needs a person, amber while agents work. */
export function showMark(decisions: number, isWorking: boolean): void {
  const icon = decisions > 0 ? "/pawl-needs.svg" : isWorking ? "/pawl-works.svg" : "/pawl.svg";
  if (icon === shown) return;
  shown = icon;
  document.querySelector("link[rel=icon]")?.setAttribute("href", icon);
}
