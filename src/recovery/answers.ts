import { Failure } from "../domain/index.ts";
import { type Finding, isRule, RULES } from "./rules/index.ts";
import { subjectNames } from "./subject.ts";

/** What a person answered in advance: the key, by rule and subject. */
export type Answers = readonly { readonly rule: string; readonly subject: string; readonly key: string }[];

/** Reads `rule:subject=key`. A subject may hold colons and equals signs; rules and keys do not. */
export function readAnswer(text: string): Answers[number] {
  const rule = text.slice(0, text.indexOf(":"));
  const [, subject = "", key = ""] = /^[^:]*:(.*)=([^=]*)$/s.exec(text) ?? [];
  if (!/^[A-Za-z]$/.test(key) || subject === "")
    throw new Failure("usage/wrong", `--answer is RULE:SUBJECT=KEY, not "${text}".`, { value: text });
  if (!isRule(rule))
    throw new Failure("usage/wrong", `There is no rule ${rule}.`, { known: Object.keys(RULES) });
  return { rule, subject, key: key.toUpperCase() };
}

/** The key that was answered for a finding; a key that it does not offer is a mistake, and nothing is guessed. */
export function answerFor(answers: Answers | undefined, finding: Finding): string | undefined {
  const answer = answers?.find((one) => isTo(one, finding));
  if (!answer) return undefined;
  const names = subjectNames(finding.seen);
  const keys = (finding.choices ?? []).map(({ key }) => key);
  if (keys.includes(answer.key)) return answer.key;
  throw new Failure(
    "usage/wrong",
    `${answer.key} is no answer to ${finding.rule}:${names[0]}; it takes ${keys.join(", ")}.`,
    { rule: finding.rule, subject: names[0], keys },
  );
}

const isTo = ({ rule, subject }: Answers[number], finding: Finding): boolean =>
  rule === finding.rule && (subject === "*" || subjectNames(finding.seen).includes(subject));

/** A person who decided on something that is gone by now must learn that nothing was done. */
export function refuseUnmet(answers: Answers, findings: readonly Finding[]): void {
  const unmet = answers.find((answer) => !findings.some((finding) => isTo(answer, finding)));
  if (!unmet) return;
  const { rule, subject } = unmet;
  throw new Failure("action/stale", `${rule}:${subject} is no longer found.`, { rule, subject });
}
