// What does a line of a file of customers say? Reads CSV with a head: id, and number or email, each of these two once or several times.

import { fieldsOf, withoutApostrophe } from '../../core/files/csv-line.ts'
import { longestLine, textLinesInChunks } from '../../core/files/text-lines.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import { readPhoneNumber } from '../../phone/read-number.ts'
import type { IdentityName } from '../identity-hash.ts'

export interface FileCustomer {
  /** The tenant's own. */
  readonly id: string
  readonly contacts: readonly IdentityName[]
}

/** A line of a file. */
export type CustomerLine = {
  /** From 1. */
  readonly line: number
  /** Bytes of the file up to its end. */
  readonly bytes: number
} & ({ readonly customer: FileCustomer } | { readonly mistake: string })

/** The first line does not name the columns. */
export class NoHead extends Error {
  override name = 'NoHead'
}

/** More would be a mistake of whoever wrote the file. */
const mostContactColumns = 20
const longestId = 256

interface Columns {
  readonly separator: string
  readonly id: number
  readonly numbers: readonly number[]
  readonly emails: readonly number[]
}

/**
 * The lines of a file, in the chunks in which it is read. Empty lines, and lines that begin with #, are left out.
 * @throws NoHead; Error of the file system
 */
export async function* customerLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CustomerLine[]> {
  let columns: Columns | undefined
  for await (const lines of textLinesInChunks(source)) {
    const read: CustomerLine[] = []
    for (const { text, line, bytes } of lines) {
      const trimmed = text.trim()
      if (trimmed === '' || trimmed.startsWith('#')) continue
      if (!columns) columns = columnsOf(trimmed)
      else read.push({ line, bytes, ...readLine(text, columns) })
    }
    yield read
  }
  if (!columns) throw new NoHead(`the file is empty: ${expected}`)
}

const expected = 'its first line must name the columns, such as id,number,email'

const namesOf = {
  id: ['id', 'userid', 'customerid'],
  number: ['number', 'phonenumber', 'mobile'],
  email: ['email'],
} as const

/** In any order, with any others. */
function columnsOf(first: string): Columns {
  for (const separator of [',', ';', '\t']) {
    const fields = fieldsOf(first.slice(0, longestLine), separator)
    if (typeof fields === 'string') continue
    const names = fields.map((field) => field.trim().toLowerCase().replaceAll(/[ _-]/g, ''))
    const places = (known: readonly string[]) => names.flatMap((name, place) => (known.includes(name) ? [place] : []))
    const [ids, numbers, emails] = [places(namesOf.id), places(namesOf.number), places(namesOf.email)]
    if (ids.length === 1 && numbers.length + emails.length > 0) {
      if (numbers.length + emails.length > mostContactColumns)
        throw new NoHead(`more than ${mostContactColumns} columns of numbers and email addresses`)
      return { separator, id: ids[0]!, numbers, emails }
    }
  }
  throw new NoHead(`${JSON.stringify(first.slice(0, 60))} names no columns that are known: ${expected}`)
}

type ReadLine = { readonly customer: FileCustomer } | { readonly mistake: string }

function readLine(text: string, { separator, id: idAt, numbers, emails }: Columns): ReadLine {
  if (text.length > longestLine) return { mistake: `more than ${longestLine} characters` }
  const fields = fieldsOf(text, separator)
  if (typeof fields === 'string') return { mistake: fields }
  const field = (place: number) => withoutApostrophe(fields[place] ?? '').trim()
  const id = field(idAt)
  const mistake = mistakeOfId(id)
  if (mistake !== undefined) return { mistake }
  const contacts: IdentityName[] = []
  for (const written of numbers.map(field)) {
    if (written === '') continue
    const number = readPhoneNumber(written, `${quoted(written)}, the number,`)
    if (typeof number === 'string') return { mistake: number }
    contacts.push({ identityType: 'MOBILE', identityValue: number.digits })
  }
  for (const written of emails.map(field)) {
    if (written === '') continue
    const { address, mistake: wrong } = readEmailAddress(written)
    if (wrong !== undefined) return { mistake: `${quoted(written)}, the email address, ${wrong}` }
    contacts.push({ identityType: 'EMAIL', identityValue: address })
  }
  return { customer: { id, contacts } }
}

function mistakeOfId(id: string): string | undefined {
  if (id === '') return 'there is no id'
  if (id.length > longestId) return `the id has more than ${longestId} characters`
  if (/\p{C}/u.test(id)) return 'the id has a control character, or one that nobody sees'
  return undefined
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 40))
