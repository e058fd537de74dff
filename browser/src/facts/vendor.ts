// Who made the browser, by its own word?

export const vendor = () => navigator.vendor
