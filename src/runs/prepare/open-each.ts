/** Does all of it at once. A failure is reported when the others have ended too: nothing runs on behind its back. */
export async function allSettled<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(works.map((work) => work()));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/**
 * Opens so many, one after the other, or none.
 *
 * What was opened before a failure is taken back, each whatever becomes of the others, and the failure is reported: why one
 * could not be taken back is less than that. The next command finds it once this process is gone.
 */
export async function openEach<T>(
  count: number,
  open: (index: number) => Promise<T>,
  takeBack: (opened: T, index: number) => Promise<unknown>,
): Promise<readonly T[]> {
  const opened: T[] = [];
  try {
    while (opened.length < count) opened.push(await open(opened.length));
    return opened;
  } catch (error) {
    for (const [index, one] of opened.entries()) await takeBack(one, index).catch(() => undefined);
    throw error;
  }
}
