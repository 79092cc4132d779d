import type { Finding } from "../../rules/index.ts";
import { REPAIRS, type RepairName } from "../../rules/repairs.ts";
import type { FindingView } from "../../flow/recover/subject.ts";
import type { Ask } from "../context.ts";
import { localTimes } from "./local-time.ts";
import { safeText } from "../../domain/safe-text.ts";

/** A question for the person at the terminal: what was found, and a line for each key. */
export const asking = (
  ask: Ask | undefined,
): ((finding: Finding) => Promise<string | undefined>) | undefined =>
  ask &&
  (({ found, choices = [] }) =>
    ask(
      ["", safeText(localTimes(found)), ...choices.map(({ do: name }) => `  ${REPAIRS[name].label}`)],
      choices.map(({ key }) => key),
    ));

/** How a finding is answered without a terminal. */
export const howToAnswer = ({ rule, subject, choices }: FindingView): readonly string[] =>
  choices.map(
    ({ key, repair }) => `${REPAIRS[repair as RepairName].label}: --answer ${rule}:${subject}=${key}`,
  );
