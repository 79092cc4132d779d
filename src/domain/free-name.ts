/** The wanted name of a new plan, or the first one with a number behind it that no file has. */
export function freePlanName(isTaken: (name: string) => boolean, wanted = "plan"): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}-${number}`;
  return name;
}
