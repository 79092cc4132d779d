/**
 * The verbs once more, in the simplest way they can be written: plain objects, no database, no transactions.
 *
 * It is written from the contract, not from `src/`. Where the two disagree, one of them is wrong.
 */

export type ModelStatus = "pending" | "claimed" | "in_progress" | "completed" | "on_hold";
export type ModelItemStatus = "open" | "in_progress" | "completed" | "deferred";

export interface ModelStep {
  readonly anchor: string;
  readonly parent: string | undefined;
  readonly dependsOn: readonly string[];
  readonly items: ModelItemStatus[];
  status: ModelStatus;
  number: number;
  owner: string | undefined;
  /** The last one that held it: its ticks are worth something there. */
  lastOwner: string | undefined;
  /** When others may take it, by uptime. */
  leaseEnds: number;
  /** On hold because a substep is, and free again with it. */
  waitsForSubstep?: boolean;
}

/** `codes` lists what a refusal may say; which of several true reasons comes first is not promised. */
export type ModelAnswer =
  | { readonly ok: true; readonly claimed?: string | undefined; readonly number?: number }
  | { readonly ok: false; readonly codes: readonly string[] };

export interface ModelCaller {
  readonly worktree: string;
  readonly claim: number | undefined;
}

const OK: ModelAnswer = { ok: true };
const refused = (...codes: string[]): ModelAnswer => ({ ok: false, codes });

const [WRONG_STATUS, NOT_OWNER, FENCED, ITEMS_OPEN, SUBSTEPS_OPEN, USAGE, DEPENDENCIES] = [
  "E050",
  "E049",
  "E076",
  "E051",
  "E052",
  "E066",
  "E079",
] as const;

export class Model {
  readonly steps: ReadonlyMap<string, ModelStep>;
  uptime = 0;

  constructor(steps: readonly ModelStep[]) {
    this.steps = new Map(steps.map((step) => [step.anchor, step]));
  }

  claim(worktree: string, leaseMs: number, wanted?: string, force = false): ModelAnswer {
    const step =
      wanted === undefined ? this.#next(worktree, force) : this.#named(this.#step(wanted), worktree, force);
    if (step === "substep") return refused(USAGE);
    if (!step) return OK;
    const earnedHere = step.lastOwner === worktree;
    if (step.lastOwner !== undefined)
      for (const one of [step, ...this.#substeps(step).filter((substep) => substep.status !== "completed")])
        settleItems(one, earnedHere);
    step.number += 1;
    this.#take(step, worktree, leaseMs);
    for (const substep of this.#substeps(step))
      if (substep.status === "pending" || isHeld(substep))
        this.#take(substep, worktree, leaseMs, step.number);
    return { ok: true, claimed: step.anchor, number: step.number };
  }

  start(anchor: string, caller: ModelCaller): ModelAnswer {
    const step = this.#step(anchor);
    const refusal = this.#refusal(step, caller);
    if (refusal) return refusal;
    if (this.#open(step).length > 0) return refused(DEPENDENCIES);
    // A substep that lost its owner belongs to the owner of its step all the same.
    if (step.status !== "claimed" && !(step.parent !== undefined && step.status === "pending"))
      return refused(WRONG_STATUS);
    this.#adopt(step, caller);
    step.status = "in_progress";
    return OK;
  }

  heartbeat(anchor: string, caller: ModelCaller, leaseMs: number): ModelAnswer {
    const step = this.#step(anchor);
    const refusal = this.#refusal(step, caller);
    if (refusal) return refusal;
    const holder = this.#holder(step);
    for (const one of [holder, ...this.#substeps(holder)])
      if (isHeld(one)) one.leaseEnds = Math.max(one.leaseEnds, this.uptime + leaseMs);
    return OK;
  }

  /** Also stands for `artifact`, which has the same rules and changes nothing of this. */
  update(
    anchor: string,
    caller: ModelCaller,
    status: ModelItemStatus,
    which: number | "all" | "none",
  ): ModelAnswer {
    const step = this.#step(anchor);
    // A call that names an item that is not there is wrong for every caller.
    const isWhole = step.items.length === 0 && step.parent !== undefined;
    if (typeof which === "number" && which >= (isWhole ? 1 : step.items.length)) return refused("E061");
    if (isWhole && typeof which === "number") return this.#updateWhole(step, caller, status);
    const refusal = this.#refusal(step, caller);
    if (refusal) return refusal;
    // What is finished, or was taken out of the work, is not worked on.
    if (step.status === "completed" || step.status === "on_hold") return refused(WRONG_STATUS);
    if (which === "none") return OK;
    if (which === "all") step.items.fill(status);
    else step.items[which] = status;
    return OK;
  }

  /** A substep without items is ticked itself. Siblings whose items are all ticked are done with it where it waits for them. */
  #updateWhole(step: ModelStep, caller: ModelCaller, status: ModelItemStatus): ModelAnswer {
    const refusal = this.#refusal(step, caller);
    if (refusal) return refusal;
    const isDone = step.status === "completed";
    if (status === "completed" && !isDone) {
      const siblings = this.#open(step).length === 0 ? [] : this.#substeps(this.#step(step.parent!));
      const ticked = siblings.filter(
        (one) => one !== step && one.status !== "completed" && one.items.length > 0,
      );
      const before = ticked.map(({ status: was, number, owner }) => ({ status: was, number, owner }));
      for (const { anchor } of ticked) this.complete(anchor, caller, false);
      const answer = this.complete(step.anchor, caller, false);
      // All of a call happens, or nothing.
      if (!answer.ok) for (const [index, one] of ticked.entries()) Object.assign(one, before[index]);
      return answer;
    }
    if (status === "in_progress" && (step.status === "claimed" || step.status === "pending"))
      return this.start(step.anchor, caller);
    if (step.status === "on_hold" || (isDone && status !== "completed")) return refused(WRONG_STATUS);
    return status === "deferred" ? refused("E062") : OK;
  }

  complete(anchor: string, caller: ModelCaller, force: boolean): ModelAnswer {
    const step = this.#step(anchor);
    const refusal = this.#refusal(step, caller);
    if (refusal) return refusal;
    const begins = step.parent !== undefined && (step.status === "claimed" || step.status === "pending");
    if ((!force || begins) && this.#open(step).length > 0) return refused(DEPENDENCIES);
    if (step.status !== "in_progress" && !begins) return refused(WRONG_STATUS);
    const openItems = step.items.some((item) => item !== "completed" && item !== "deferred");
    const openSubsteps = this.#substeps(step).filter((substep) => substep.status !== "completed");
    if (!force && (openItems || openSubsteps.length > 0))
      return refused(openItems ? ITEMS_OPEN : SUBSTEPS_OPEN);
    if (begins) this.#adopt(step, caller);
    step.status = "completed";
    if (force) {
      finishItems(step);
      for (const substep of openSubsteps) {
        substep.status = "completed";
        substep.number += 1;
        finishItems(substep);
      }
    }
    return OK;
  }

  release(anchor: string, caller: ModelCaller | undefined): ModelAnswer {
    const step = this.#step(anchor);
    if (step.parent !== undefined) return refused(USAGE);
    const refusal = caller ? this.#refusal(step, caller) : isHeld(step) ? undefined : refused(WRONG_STATUS);
    if (refusal) return refusal;
    this.#free(step, "pending");
    return OK;
  }

  reset(anchor: string): ModelAnswer {
    const step = this.#step(anchor);
    if (step.status === "completed") return refused(WRONG_STATUS);
    if (step.status === "on_hold") return this.retry(anchor);
    if (step.status !== "pending") this.#free(step, "pending");
    return OK;
  }

  hold(anchor: string): ModelAnswer {
    const step = this.#step(anchor);
    if (step.status === "completed") return refused(WRONG_STATUS);
    this.#free(step, "on_hold");
    step.waitsForSubstep = false;
    const parent = step.parent === undefined ? undefined : this.#step(step.parent);
    if (parent && (parent.status === "pending" || isHeld(parent))) {
      this.#free(parent, "on_hold");
      parent.waitsForSubstep = true;
    }
    return OK;
  }

  retry(anchor: string): ModelAnswer {
    const step = this.#step(anchor);
    if (step.status !== "on_hold") return refused(WRONG_STATUS);
    this.#free(step, "pending");
    for (const substep of this.#substeps(step))
      if (substep.status === "on_hold") this.#free(substep, "pending");
    const parent = step.parent === undefined ? undefined : this.#step(step.parent);
    if (parent?.status === "on_hold" && parent.waitsForSubstep)
      if (this.#substeps(parent).every(({ status }) => status !== "on_hold")) this.#free(parent, "pending");
    return OK;
  }

  reopen(anchor: string): ModelAnswer {
    const step = this.#step(anchor);
    if (step.status !== "completed") return refused(WRONG_STATUS);
    const others = step.parent === undefined ? this.#substeps(step) : [this.#step(step.parent)];
    for (const one of [step, ...others.filter(({ status }) => status === "completed")]) {
      one.status = "pending";
      one.number += 1;
      one.owner = undefined;
      one.items.fill("open");
    }
    return OK;
  }

  /** How many dependencies of a step are open. */
  unmet(anchor: string): number {
    return this.#open(this.#step(anchor)).length;
  }

  get done(): boolean {
    return [...this.steps.values()].every((step) => step.parent !== undefined || step.status === "completed");
  }

  #step(anchor: string): ModelStep {
    return this.steps.get(anchor)!;
  }

  #substeps(step: ModelStep): readonly ModelStep[] {
    return [...this.steps.values()].filter((one) => one.parent === step.anchor);
  }

  #holder(step: ModelStep): ModelStep {
    return step.parent === undefined ? step : this.#step(step.parent);
  }

  #open(step: ModelStep): readonly string[] {
    return step.dependsOn.filter((target) => this.#step(target).status !== "completed");
  }

  #next(worktree: string, force: boolean): ModelStep | undefined {
    const top = [...this.steps.values()].filter((step) => step.parent === undefined);
    const own = top.find((step) => isHeld(step) && step.owner === worktree && this.#open(step).length === 0);
    if (own) return own;
    const possible = top.filter((step) => this.#open(step).length === 0);
    const free = possible.find(
      (step) => step.status === "pending" || (isHeld(step) && step.leaseEnds <= this.uptime),
    );
    return free ?? (force ? possible.find(isHeld) : undefined);
  }

  #named(step: ModelStep, worktree: string, force: boolean): ModelStep | "substep" | undefined {
    if (step.parent !== undefined) return "substep";
    if (this.#open(step).length > 0) return undefined;
    if (step.status === "pending") return step;
    if (!isHeld(step)) return undefined;
    return step.owner === worktree || force || step.leaseEnds <= this.uptime ? step : undefined;
  }

  #take(step: ModelStep, worktree: string, leaseMs: number, number = step.number): void {
    step.status = "claimed";
    step.number = Math.max(step.number, number);
    step.owner = worktree;
    step.lastOwner = worktree;
    step.leaseEnds = this.uptime + leaseMs;
  }

  /** A substep that has no owner goes to the owner of its step, under the number of its claim. */
  #adopt(step: ModelStep, { worktree }: ModelCaller): void {
    if (step.status === "pending") step.number = Math.max(step.number, this.#holder(step).number);
    step.owner = worktree;
    step.lastOwner = worktree;
  }

  #free(step: ModelStep, status: ModelStatus): void {
    step.status = status;
    step.number += 1;
    step.owner = undefined;
    settleItems(step, true);
    for (const substep of this.#substeps(step)) if (isHeld(substep)) this.#free(substep, "pending");
  }

  /** An old number is reported before anything else: its bearer must stop, and what it brings must be kept. */
  #refusal(step: ModelStep, { worktree, claim }: ModelCaller): ModelAnswer | undefined {
    const holder = this.#holder(step);
    if (claim !== undefined && claim < holder.number) return refused(FENCED);
    const waits = this.#open(step).length > 0 ? [DEPENDENCIES] : [];
    if (!isHeld(holder)) return refused(WRONG_STATUS, NOT_OWNER, ...waits);
    if (holder.owner !== worktree || (claim !== undefined && claim !== holder.number))
      return refused(NOT_OWNER, ...waits);
    return undefined;
  }
}

export const isHeld = (step: ModelStep): boolean =>
  step.status === "claimed" || step.status === "in_progress";

/** In the worktree that earned them finished items stay; elsewhere the work behind them is not there. */
function settleItems(step: ModelStep, earnedHere: boolean): void {
  for (const [index, item] of step.items.entries())
    if (!earnedHere || item !== "completed") step.items[index] = "open";
}

function finishItems(step: ModelStep): void {
  for (const [index, item] of step.items.entries()) if (item !== "deferred") step.items[index] = "completed";
}
