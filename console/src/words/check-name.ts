// What is a telecom check called? Its name in the contract, in words.

const abbreviations: Readonly<Record<string, string>> = { sim: 'SIM', kyc: 'KYC' }

/** `device swap` for deviceSwap, `SIM swap` for simSwap: what stands before the word check. */
export const checkTitle = (check: string): string =>
  check
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(' ')
    .map((word) => abbreviations[word] ?? word)
    .join(' ')

/** The same where a sentence or a row begins. */
export const checkName = (check: string): string => {
  const title = checkTitle(check)
  return title.charAt(0).toUpperCase() + title.slice(1)
}
