import { Failure } from "../../domain/index.ts";
import { OPTION_NAMES } from "../wire.ts";
import type { Action, ActionSubject } from "./action.ts";
import { ADD_STEP_ACTION } from "./add-step-action.ts";
import { FINDING_ACTIONS } from "./finding-actions.ts";
import { PLAN_ACTIONS } from "./plan-actions.ts";
import { SESSION_ACTIONS } from "./session-actions.ts";
import { STEP_ACTIONS } from "./step-actions.ts";
import { WORKTREE_ACTIONS } from "./worktree-actions.ts";

export const ACTIONS: readonly Action[] = [
  ...FINDING_ACTIONS,
  ...STEP_ACTIONS,
  ...SESSION_ACTIONS,
  ...WORKTREE_ACTIONS,
  ...PLAN_ACTIONS,
  ADD_STEP_ACTION,
];

export function actionNamed(name: string): Action {
  const found = ACTIONS.find((action) => action.name === name);
  if (found) return found;
  throw new Failure("ui/unknown-action", `There is no such action.`, {
    known: ACTIONS.map((action) => action.name),
  });
}

export const actionSubject = (text: (name: string) => string | undefined): ActionSubject => ({
  plan: text("plan"),
  step: text("step"),
  session: text("session"),
  worktree: text("worktree"),
  rule: text("rule"),
  subject: text("subject"),
  key: text("key"),
  options: Object.fromEntries(
    OPTION_NAMES.flatMap((name) => {
      const value = text(name);
      return value === undefined ? [] : [[name, value]];
    }),
  ),
});
