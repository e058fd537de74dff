// How many sessions must an account have before something is new or rare for it?

/** With fewer sessions, everything is new to everybody. */
export const fewestForNew = 3
/** With fewer sessions, one of them is not rare. */
export const fewestForRare = 20
