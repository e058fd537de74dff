// Which parts of a rules file are keys, texts, numbers and words?

import type { StreamParser } from '@codemirror/language'

export { tags } from '@lezer/highlight'

export const rulesLanguage: StreamParser<unknown> = {
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/#.*/)) return 'comment'
    if (stream.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/)) return 'string'
    if (stream.match(/-?\d+(?:\.\d+)?\b/)) return 'number'
    if (stream.match(/[\w-]+(?=:(?:\s|$))/)) return 'propertyName'
    if (stream.match(/\b(?:and|or|not|in|between|prefix|exists|inList|true|false)\b/)) return 'keyword'
    if (!stream.match(/[\w.]+/)) stream.next()
    return null
  },
}
