// How many threads can run at once, according to the browser?

export const hardwareConcurrency = () => navigator.hardwareConcurrency
