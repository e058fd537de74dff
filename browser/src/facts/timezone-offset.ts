// How many minutes is local time behind UTC?

export const timezoneOffset = () => new Date().getTimezoneOffset()
