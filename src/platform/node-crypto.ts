/** Loading the module takes 4 ms, so it is loaded by whoever comes to need it: most commands do not. */
export const nodeCrypto = () => process.getBuiltinModule("node:crypto");
