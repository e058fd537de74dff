// What does the reference say about telecom checks? A section for each row of the catalogue.

import { type AnyCheck, checkNames, checks, releasedPath } from '@ringfence/contract'
import { code, page, table } from './markdown.ts'

interface Property {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

export const checksPage = (): string =>
  page(
    'Telecom checks',
    `What \`POST /v1/telecom/checks\` can ask about a number. [The guide](../guides/telecom-checks.md) shows a call. Each answer also has \`success\`,
\`ageSeconds\` and \`source\`; rules read its texts, numbers and flags as \`telecom.CHECK.FIELD\`.`,
    ...checkNames.map((name) => sectionOf(checks[name])),
  )

function sectionOf({ name, summary, Params, Answer, camara, keyOf }: AnyCheck): string {
  const required: readonly string[] = Params.required ?? []
  const rows = [
    ...fieldsOf(Params).map(([field, property]) => [
      'asked',
      code(required.includes(field) ? field : `${field}?`),
      meaningOf(property),
    ]),
    ...fieldsOf(Answer).map(([field, property]) => [
      'answered',
      code(Answer.required?.includes(field) ? field : `${field}?`),
      meaningOf(property),
    ]),
  ]
  const calls = camara?.calls.map(({ resource }) => code(`POST ${releasedPath(camara.api)}/${resource}`)).join(' or ')
  return [
    `## \`${name}\`\n`,
    `${summary} ${calls === undefined ? 'Portability sources answer.' : `At a CAMARA operator: ${calls}.`}${
      keyOf || camara === undefined ? '' : ' Nothing of it is stored, so each call asks the operator.'
    }\n`,
    table(['', 'field', 'meaning'], withSelfExplaining(rows)),
  ].join('\n')
}

/** Fields whose meaning is only their name in words share a row without one. */
function withSelfExplaining(rows: string[][]): string[][] {
  const isSaid = ([, field, meaning]: string[]) => wordsOf(field!) === meaning!.toLowerCase().replaceAll(' ', '')
  const said = rows.filter(isSaid)
  if (said.length < 2) return rows
  const [first] = said
  return rows.flatMap((row) => {
    if (row === first) return [[row[0]!, said.map(([, field]) => field).join(', '), '']]
    return isSaid(row) ? [] : [row]
  })
}

const wordsOf = (field: string) => field.replace(/[`?]/g, '').toLowerCase()

const fieldsOf = (schema: AnyCheck['Params']) => Object.entries(schema.properties) as [string, Property][]

function meaningOf({ description = '', enum: values, minimum, maximum }: Property): string {
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}. `
  const choice = values === undefined ? '' : `${values.map((value) => code(String(value))).join(', ')}. `
  const meaning = `${choice}${range}${description}`
  return meaning.startsWith('`') ? ` ${meaning}` : meaning
}
