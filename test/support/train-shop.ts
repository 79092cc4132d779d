import { writeFileSync } from "node:fs";
import { AGENT, type RunShop, runShop, type Started, untilThere } from "./run-shop.ts";
import { until } from "./until.ts";

/** Two steps in the train: the check of the first runs until it is let go, the second is verified and waits. */
export interface TrainShop {
  readonly shop: RunShop;
  readonly run: Started;
  /** Lets the first one's check end. */
  readonly go: () => void;
}

export async function trainShop(): Promise<TrainShop> {
  const shop = runShop(
    [
      { number: "1", tasks: ["dig"] },
      { number: "2", tasks: ["build"] },
    ],
    `[verify]\nclean = true\ncommand = ["sh", "check.sh"]\n`,
  );
  const [checking, gone] = [shop.path("checking"), shop.path("go")];
  shop.repo.write(
    "check.sh",
    `[ -e work/step-2.txt ] && exit 0\ntouch '${checking}'\nuntil [ -e '${gone}' ]; do sleep 0.02; done\n`,
  );
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "a check");
  shop.script({
    steps: {
      "step-1": [[{ write: "work/step-1.txt" }, { tick: "all" }]],
      "step-2": [[{ waitFor: checking }, { write: "work/step-2.txt" }, { tick: "all" }]],
    },
  });
  const run = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
  await untilThere(checking);
  await until(() => shop.query("select 1 from events where event = 'waits-to-land'").length === 1);
  return { shop, run, go: () => writeFileSync(gone, "") };
}
