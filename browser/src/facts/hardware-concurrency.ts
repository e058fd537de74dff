// How many threads can the processor run at once, by the browser's word?

export const hardwareConcurrency = () => navigator.hardwareConcurrency
