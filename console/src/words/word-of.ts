// What is a code called? Its words, else the code itself in words: a record may be of another version.

import { fieldName } from '../parts/values/format.ts'

export const wordOf = (words: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(words, code) ? words[code]! : fieldName(code.replaceAll(/[_-]/g, ' '))
