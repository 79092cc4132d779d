/** Waits, unless it is woken. Written out, because Node's own costs every command the loading of a module. */
export const sleep = (ms: number, wake?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      wake?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    wake?.addEventListener("abort", end);
    if (wake?.aborted) end();
  });
