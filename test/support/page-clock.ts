import type { Page } from "playwright-core";

/** How long the page's thread had the processor for so far: by the clock, other programs would be counted with it. */
export async function pageClock(page: Page): Promise<() => Promise<number>> {
  const browserSide = await page.context().newCDPSession(page);
  await browserSide.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await browserSide.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
  };
}
