import { plural } from "../../domain/index.ts";
import { digest } from "../finding-card.ts";
import type { FindingCard } from "../wire.ts";
import type { JobAnswer } from "../jobs.ts";
import type { Action, ActionSubject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";
import { REPAIR_WORDS } from "./repair-words.ts";

/** The finding as it stands, and the choice that was made; what is gone or is not offered any more was decided too late. */
function chosen(found: readonly FindingCard[], subject: ActionSubject) {
  const rule = needed(subject, "rule");
  const about = needed(subject, "subject");
  const key = needed(subject, "key");
  const card = found.find((one) => one.rule === rule && one.subject === about);
  const choice = card?.choices.find((one) => one.key === key);
  if (card === undefined || choice === undefined) throw stale(about);
  // To the command line this name means all of them.
  if (about === "*") throw notPossible("A subject named * can only be answered at a terminal.");
  return { card, choice, words: REPAIR_WORDS[choice.repair] };
}

/** Before the words in brackets that say what it means. */
const short = (label: string): string => label.replace(/ \(.*$/, "");

const decide: Action = {
  name: "decide",
  label: "Decide",
  about: "Answers one finding of `pawl recover` with one of its choices, whose words are on the button",
  async preview({ findings }, subject) {
    const { card, choice, words } = chosen(await findings.current(), subject);
    return {
      title: `${short(choice.label)}: ${card.subject}`,
      about: card.found,
      button: short(choice.label),
      effects: words.effects,
      keeps: words.keeps,
      version: card.version,
      needsReason: false,
      isGrave: words.isGrave ?? false,
    };
  },
  async act({ findings, jobs }, subject, { version }) {
    const { card, choice } = chosen(await findings.fresh(), subject);
    if (card.version !== version) throw stale(card.subject);
    const answer = `${card.rule}:${card.subject}=${choice.key}`;
    const about = `${short(choice.label)}: ${card.subject}`;
    return { job: jobs.start("decide", about, ["recover", "--only", "--answer", answer]) };
  },
};

const provenOf = (found: readonly FindingCard[]): readonly FindingCard[] =>
  found.filter(({ weight }) => weight === "proven");

const versionOf = (proven: readonly FindingCard[]): string => digest(proven.map(({ version }) => version));

const MOST = 30;

const repair: Action = {
  name: "repair",
  label: "Repair automatically",
  about: "Repairs what `pawl recover` repairs without asking, and decides nothing",
  async preview({ findings }) {
    const proven = provenOf(await findings.current());
    if (proven.length === 0) throw notPossible("There is nothing left to repair.");
    const keeps = proven.flatMap(({ automatic }) => REPAIR_WORDS[automatic!.repair].keeps);
    return {
      title: `Repair automatically: ${plural(proven.length, "finding")}`,
      effects: [
        ...proven
          .slice(0, MOST)
          .map(({ subject, found, automatic }) => `${subject}: ${found} ${automatic!.label}.`),
        ...(proven.length > MOST ? [`And ${proven.length - MOST} more of the kind.`] : []),
      ],
      keeps: [...new Set(keeps), "Findings that need a decision stay."],
      version: versionOf(proven),
      needsReason: false,
      isGrave: false,
    };
  },
  async act({ findings, jobs }, _subject, { version }) {
    const proven = provenOf(await findings.fresh());
    if (versionOf(proven) !== version) throw stale("What can be repaired");
    return { job: jobs.start("repair", plural(proven.length, "finding"), ["recover", "--auto"], isRepaired) };
  },
};

const DECISIONS_LEFT = 5;

/** Decisions that are left are no failure of what was repaired. */
function isRepaired(code: number | null, answer: JobAnswer): boolean {
  const data = answer?.["data"] as { readonly repaired?: readonly { readonly done: boolean }[] } | undefined;
  const isOver = code === 0 || code === DECISIONS_LEFT;
  return isOver && (data?.repaired ?? []).every(({ done }) => done);
}

export const FINDING_ACTIONS: readonly Action[] = [decide, repair];
