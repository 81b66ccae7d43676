const TABS = ['settings', 'manifest'] as const;

/** The open tab of the page of an own app. */
export interface OwnAppSearch {
  tab?: (typeof TABS)[number];
}

/** Parses the address. Ignores invalid values. */
export const ownAppTabIn = ({ tab }: Record<string, unknown>): OwnAppSearch => {
  const known = TABS.find((one) => one === tab);
  return known === undefined ? {} : { tab: known };
};
