// Does a text for people have a code of the contract in it, such as `OTP_WRONG` or `deviceReport`?

const code = /\b[A-Z]{2,}_[A-Z_]+\b|\b[a-z]{2,}[A-Z][a-z]+\w*\b|\b[a-z]+_[a-z_]+\b/
/** Names that are written so. */
const names = /\b(?:iPhone|macOS|iOS|dfrId|userId)\b/g

export const looksLikeCode = (text: string): boolean => code.test(text.replaceAll(names, ''))
