import { useEffect } from "preact/hooks";

/** Something that can be done on what is in view. */
export interface Offer {
  readonly label: string;
  readonly about: string;
  readonly run: () => void;
}

const offers = new Map<object, readonly Offer[]>();

/** Everything that has a button on the page now. */
export const offersInView = (): readonly Offer[] => [...offers.values()].flat();

/** Makes buttons known for as long as they are there, so that they can be found by typing. */
export function useOffers(mine: readonly Offer[]): void {
  useEffect(() => {
    const key = {};
    offers.set(key, mine);
    return () => void offers.delete(key);
  });
}
