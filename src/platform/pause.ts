/** Lets others go on for a while. Written out, because Node's own costs every command the loading of a module. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
