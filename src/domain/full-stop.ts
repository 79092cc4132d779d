/** Ends a sentence that another's words end: those may have their full stop already. */
export const fullStop = (text: string): string => (/[.!?…]["')]?$/.test(text) ? text : `${text}.`);
