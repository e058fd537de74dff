// In which time zone is the device set to be?

export const timezone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
