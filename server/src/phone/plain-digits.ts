// Which digits are these, in any script?

/** Digits of any script as 0 to 9. Unicode has each script's ten digits in order, in runs that begin with a zero. */
export function withPlainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String((code - zero) % 10)
  })
}
