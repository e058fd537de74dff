// Which platform does `navigator.platform` name?

export const platform = () => navigator.platform
