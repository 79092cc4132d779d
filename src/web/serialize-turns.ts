/**
 * Lets those who wait pass one at a time, each in a turn of the loop of its own.
 *
 * Reading the database takes its time in one piece. Pages ask for several things at once, and answered in one turn their
 * pieces would add up: a page that follows live would wait for all of them.
 */
export function serializeTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(() => new Promise((pass) => setImmediate(pass))));
}
