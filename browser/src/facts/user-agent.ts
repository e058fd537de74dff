// How does the browser name itself?

export const userAgent = () => navigator.userAgent
