// On which platform does the browser say it runs?

export const platform = () => navigator.platform
