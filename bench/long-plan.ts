import { seededRandom } from "./seeded-random.ts";

const STEPS = 14;
const SUBSTEPS = 10;
const ITEMS = 235;
const BYTES = 75_000;

/** A plan as large as real ones are: 75 KB, most of it prose; 14 steps, 10 substeps, 235 items. */
export function longPlan(seed: number): string {
  const random = seededRandom(seed);
  const prose = (words: number) =>
    Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  const paragraph = () => `${prose(60)}.\n`;

  const parts = partNumbers();
  const itemsOf = parts.map(
    (_, index) => Math.floor(ITEMS / parts.length) + Number(index < ITEMS % parts.length),
  );
  const steps = parts.map((number, index) => {
    const items = Array.from({ length: itemsOf[index]! }, () => `- [ ] ${prose(8)}`);
    const [tasks, tests] = [Math.ceil(items.length / 2), Math.ceil(items.length / 4)];
    return [
      `${number.includes(".") ? "#####" : "####"} Step ${number}: ${prose(5)} {#step-${number.replace(".", "-")}}\n`,
      ...(index === 0 ? [] : ["**Depends on:** #step-1\n"].filter(() => !number.includes("."))),
      "**Commit:** `feat: a change`\n",
      "**References:** (#design)\n",
      paragraph(),
      `**Tasks:**\n${items.slice(0, tasks).join("\n")}\n`,
      `**Tests:**\n${items.slice(tasks, tasks + tests).join("\n")}\n`,
      `**Checkpoint:**\n${items.slice(tasks + tests).join("\n")}\n`,
    ].join("\n");
  });
  const head = "## Phase 1.0: A long plan {#phase-long}\n\n### Design {#design}\n\n";
  const body = `\n### Execution Steps {#execution-steps}\n\n${steps.join("\n")}`;
  let design = "";
  while (head.length + design.length + body.length < BYTES) design += `${paragraph()}\n`;
  return head + design + body;
}

/** `1`, `2`, `2.1`, … : the substeps are spread over the first steps. */
function partNumbers(): readonly string[] {
  return Array.from({ length: STEPS }, (_, index) => String(index + 1)).flatMap((step, index) =>
    index < SUBSTEPS / 2 ? [step, `${step}.1`, `${step}.2`] : [step],
  );
}

const WORDS =
  "the a step writes reads claims state plan worker lease hash file index table row agent commit branch guard never always before after each every change keep lose find build check store `claim()` **must** [link](#design) number deadline".split(
    " ",
  );
