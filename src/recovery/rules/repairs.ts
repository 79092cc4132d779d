/**
 * What can be done about what was found: one name each, with the words that people choose it by.
 *
 * The key is the letter that is pressed, and the one that `--answer` takes; it stands in brackets in the label.
 */
export const REPAIRS = {
  verify: { key: undefined, label: "Verify it where its work is" },
  "verify-here": { key: "V", label: "[V] Verify it where you are (if it passes, it is committed there)" },
  escalate: { key: undefined, label: "Ask for a person's review" },
  retry: { key: "R", label: "[R] Retry (back to pending for the next run)" },
  "break-down": { key: "B", label: "[B] Break down (a planner splits it into substeps)" },
  skip: { key: "S", label: "[S] Skip (stays as it is)" },
  continue: { key: "C", label: "[C] Continue (stays in progress; the next run continues it)" },
  reset: { key: "P", label: "[P] Reset to pending (start over; the work so far is saved)" },
  hold: { key: "H", label: "[H] Put on hold" },
  "mark-interrupted": { key: undefined, label: "Record that it was cut off" },
  "stop-agent": { key: undefined, label: "Stop what it left running" },
  resume: { key: "R", label: "[R] Resume (continue where it stopped)" },
  abandon: { key: "A", label: "[A] Abandon (not resumed; its work stays)" },
  show: { key: "S", label: "[S] Show it, and decide later" },
  release: { key: undefined, label: "Release it; its work is saved first" },
  complete: { key: undefined, label: "Complete it from its commit" },
  "write-pending": { key: undefined, label: "Set it to pending in the file" },
  rebuild: { key: undefined, label: "Recreate it from its branch; its files are moved aside" },
  "set-aside": { key: undefined, label: "Move them aside, and write again what a checkout still has" },
  "move-back": { key: "M", label: "[M] Move it back (to its last intact commit; files stay as they are)" },
  "bring-back": { key: "B", label: "[B] Bring back (the branch gets the steps again)" },
  reopen: { key: "R", label: "[R] Reopen (the next run does it again)" },
  revert: { key: "V", label: "[V] Revert (a new commit undoes it; the step is put on hold)" },
  leave: { key: "L", label: "[L] Leave it (stays visible; later runs do not stop for it)" },
  recreate: { key: "R", label: "[R] Recreate (from its branch)" },
  clean: { key: "C", label: "[C] Clean up (unsaved work is saved first)" },
  keep: { key: "K", label: "[K] Keep it as it is" },
  "accept-edit": { key: "A", label: "[A] Accept (the new text counts as done)" },
  "begin-again": { key: "N", label: "[N] New text (the step starts over with it; the work so far is saved)" },
  "new-plan": {
    key: "W",
    label: "[W] Whole new plan (all its steps start over; the state of the old plan is saved)",
  },
  "forget-step": { key: "F", label: "[F] Forget the step (its commits stay)" },
  "read-again": { key: "R", label: "[R] Read it again (progress of unchanged steps is kept)" },
} as const satisfies Record<string, { readonly key: string | undefined; readonly label: string }>;

export type RepairName = keyof typeof REPAIRS;
