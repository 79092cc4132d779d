// What the agents of the demo do. Their repository is that of `pawl demo`.

export const STEPS = 10;

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
  const steps = Array.from({ length: STEPS }, (_, index) => [
    `step-${index + 1}`,
    [work("It works.", 1200 + 400 * (index % 3), index >= 4)],
  ]);
  return {
    speak: "plain",
    steps: { ...Object.fromEntries(steps), "step-8": [work("Nearly.", 900), work("It works.", 900)] },
  };
}
