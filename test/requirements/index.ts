import { interruptedClaims } from "./interrupted-claims.ts";
import { interruptedWorktrees } from "./interrupted-worktrees.ts";
import type { Requirement, SourceDocument } from "./requirement.ts";
import { resumingBuilds } from "./resuming-builds.ts";
import { sessionRecovery } from "./session-recovery.ts";
import { stateStore } from "./state-store.ts";

/** Everything that was required of Pawl when it began, by the document that required it. */
export const DOCUMENTS: readonly SourceDocument[] = [
  interruptedClaims,
  stateStore,
  interruptedWorktrees,
  sessionRecovery,
  resumingBuilds,
];

/** Where a test lies, from the root of the repository. */
export const fileOf = (name: string): string =>
  name.startsWith("../") ? `${name.slice(3)}.test.ts` : `test/${name}.test.ts`;

export const isProved = (one: Requirement): one is readonly [string, string, string] => one.length === 3;

/** `docs/requirements.md`. */
export function requirementsPage(): string {
  const all = DOCUMENTS.flatMap(({ requirements }) => requirements);
  const proved = all.filter(isProved).length;
  return [
    "# Requirements",
    "",
    "<!-- Printed by `npm run docs` from test/requirements. -->",
    "",
    `What Pawl was required to do, from the five documents that it began with, one line each: ${all.length} requirements, ${proved} proved by a test, ${all.length - proved} met in another way that is explained. A test fails when a named test is not there.`,
    "",
    ...DOCUMENTS.flatMap(sectionOf),
  ].join("\n");
}

const sectionOf = ({ title, about, requirements }: SourceDocument): readonly string[] => [
  `## ${title}`,
  "",
  about,
  "",
  "| required | proved by |",
  "| --- | --- |",
  ...requirements.map((one) => `| ${cell(one[0])} | ${proofOf(one)} |`),
  "",
];

const cell = (text: string): string => text.replaceAll("|", "\\|");

const proofOf = (one: Requirement): string =>
  isProved(one)
    ? `[${fileOf(one[1]).split("/").at(-1)!.slice(0, -".test.ts".length)}](../${fileOf(one[1])}): ${cell(one[2])}`
    : cell(one[1].why);
