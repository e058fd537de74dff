// Which user agent string does the browser report?

export const userAgent = () => navigator.userAgent
