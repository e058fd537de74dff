// Which vendor does the browser report?

export const vendor = () => navigator.vendor
