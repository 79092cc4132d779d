/**
 * What can be done about what was found: one name each, with the words that people choose it by.
 *
 * The key is the letter that is pressed, and the one that `--answer` takes; it stands in brackets in the label.
 */
export const REPAIRS = {
  verify: { key: undefined, label: "Verify it where its work lies" },
  "verify-here": { key: "V", label: "[V] Verify it where you are (what passes is committed there)" },
  escalate: { key: undefined, label: "Ask for a person's review" },
  retry: { key: "R", label: "[R] Retry (back to pending for the next run)" },
  "break-down": { key: "B", label: "[B] Break down (a planner makes substeps of it)" },
  skip: { key: "S", label: "[S] Skip (stays as it is)" },
  continue: { key: "C", label: "[C] Continue (stays in progress; the next run continues it)" },
  reset: { key: "P", label: "[P] Reset to pending (start fresh; what is there is saved)" },
  hold: { key: "H", label: "[H] Put on hold" },
  "mark-interrupted": { key: undefined, label: "Record that it was cut off" },
  "stop-agent": { key: undefined, label: "Stop what it left running" },
  resume: { key: "R", label: "[R] Resume (continue where it stopped)" },
  abandon: { key: "A", label: "[A] Abandon (not resumed; its work stays)" },
  show: { key: "S", label: "[S] Show it, and decide later" },
  release: { key: undefined, label: "Give it back, with its work saved" },
  complete: { key: undefined, label: "Complete it from its commit" },
  "write-pending": { key: undefined, label: "Let the file say pending" },
  rebuild: { key: undefined, label: "Make it again from its branch, with its files kept aside" },
  "set-aside": { key: undefined, label: "Move them aside, and write again what is still in a checkout" },
  "move-back": { key: "M", label: "[M] Move it back (to its last whole commit; files stay as they are)" },
  "bring-back": { key: "B", label: "[B] Bring back (the branch gets the steps again)" },
  reopen: { key: "R", label: "[R] Reopen (the next run does it again)" },
  revert: { key: "V", label: "[V] Revert (a commit takes it back; the step is put on hold)" },
  leave: { key: "L", label: "[L] Leave it (stays visible, stops no run again)" },
  recreate: { key: "R", label: "[R] Recreate (from its branch)" },
  clean: { key: "C", label: "[C] Clean up (what is unsaved is saved first)" },
  keep: { key: "K", label: "[K] Keep it as it is" },
  "accept-edit": { key: "A", label: "[A] Accept (the new text counts as done)" },
  "begin-again": { key: "N", label: "[N] New text (the step begins again with it; what is there is saved)" },
  "new-plan": {
    key: "W",
    label: "[W] Whole new plan (all of its steps begin again; the state of the old one is saved)",
  },
  "forget-step": { key: "F", label: "[F] Forget the step (its commits stay)" },
  "read-again": { key: "R", label: "[R] Read it again (progress of unchanged steps is kept)" },
} as const satisfies Record<string, { readonly key: string | undefined; readonly label: string }>;

export type RepairName = keyof typeof REPAIRS;
