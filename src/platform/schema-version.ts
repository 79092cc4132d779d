/** What this Pawl reads and writes. Apart from the migrations, so that opening a database does not load them. */
export const SCHEMA_VERSION = 15;
