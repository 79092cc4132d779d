// What the demo plays: a plan with branches, a check, and what the agents do.

/** Number, title, and what must be done before. */
export const STEPS = [
  ["1", "Lay out the shop", []],
  ["2", "Prices", ["1"]],
  ["3", "Stock", ["1"]],
  ["4", "Customers", ["1"]],
  ["5", "Basket", ["2", "3"]],
  ["6", "Discounts", ["2", "4"]],
  ["7", "Checkout", ["5", "6"]],
  ["8", "Receipts", ["7"]],
  ["9", "Reports", ["3", "4"]],
  ["10", "Opening day", ["8", "9"]],
];

/** The files of the repository, by name. */
export const files = () => ({
  "plan.md": plan(),
  "check.mjs": CHECK,
  "pawl.toml": '[verify]\ncommand = ["node", "check.mjs"]\n',
});

function plan() {
  const steps = STEPS.map(([number, title, needs]) =>
    [
      `#### Step ${number}: ${title} {#step-${number}}`,
      "",
      ...(needs.length > 0 ? [`**Depends on:** ${needs.map((need) => `#step-${need}`).join(", ")}`, ""] : []),
      "**Tasks:**",
      `- [ ] write ${title.toLowerCase()}`,
      "",
      "**Tests:**",
      `- [ ] check ${title.toLowerCase()}`,
      "",
    ].join("\n"),
  );
  return ["## Phase 1.0: Open a shop {#phase-shop}", "", "### Execution Steps {#steps}", "", ...steps].join(
    "\n",
  );
}

const CHECK = `import { readdirSync, readFileSync } from "node:fs";

const unfinished = readdirSync("shop").filter((name) => !readFileSync(\`shop/\${name}\`, "utf8").includes("works"));
if (unfinished.length > 0) {
  console.error(\`not finished: \${unfinished.join(", ")}\`);
  process.exit(1);
}
`;

/**
 * What the scripted agent does: a little of everything an agent does, at the pace of a person who watches. In a hurry the
 * steps in the middle wait until the runner was killed, or all would be over before.
 */
export function script(isFast, killed) {
  const think = (ms) => (isFast ? [] : [{ pause: ms }]);
  const work = (text, ms, isInTheMiddle) => [
    { say: "Reading what is there." },
    ...think(ms),
    { write: "shop/{step}.txt", text: `${text}\n` },
    ...(isFast && isInTheMiddle ? [{ waitFor: killed }] : []),
    ...think(ms),
    { tick: "all" },
    ...think(ms / 2),
  ];
  const steps = STEPS.map(([number], index) => [
    `step-${number}`,
    [work("It works.", 1200 + 400 * (index % 3), Number(number) > 4)],
  ]);
  return {
    speak: "plain",
    steps: { ...Object.fromEntries(steps), "step-8": [work("Nearly.", 900), work("It works.", 900)] },
  };
}
