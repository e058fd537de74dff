// What does x-ringfence-notice say? Everything about the body that the response itself does not, in at most 512 bytes.

import type { Reply } from './reply.ts'

const header = 'x-ringfence-notice'

/** All notices of a response together: a proxy may refuse more than 4 KB of headers. */
const mostBytes = 512

/** Adds a notice. A notice may contain keys that the caller chose. The last one says why a body was refused, so the others are cut first. */
export function addNotice(reply: Reply, notice: string): void {
  const last = cut(headerText(notice), mostBytes)
  const previous = reply.valueOf(header)
  const room = mostBytes - last.length - separator.length
  const first = previous === undefined || room < shortest ? [] : [cut(previous, room)]
  reply.header(header, [...first, last].join(separator))
}

const separator = '; '

/** A notice cut to less than this says nothing. */
const shortest = 20

/** Printable ASCII, so that a character is a byte. An escape is left out rather than halved. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3).replace(/\\(u[0-9a-f]{0,3})?$/, '')}...`
}

/** A header value is printable ASCII (RFC 9110, 5.5). Other characters are escaped as in JSON. */
const headerText = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
