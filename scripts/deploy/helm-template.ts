// What does the Helm chart render? The part of Go templates that the chart uses; anything else is refused.

import { stringify } from 'yaml'

/** What a template refers to: `.Values.image`, `.Release.Name`. */
export interface ChartValues {
  readonly Values: Readonly<Record<string, unknown>>
  readonly Release: { readonly Name: string }
}

type Part = { readonly text: string } | { readonly action: string }

/** Throws for an action that it does not know, and for a value that does not exist. */
export function renderTemplate(template: string, values: ChartValues): string {
  const parts = partsOf(template)
  const { output, next } = render(parts, 0, values, values)
  if (next < parts.length) throw new Error('an "end" has no beginning')
  return output
}

/** Text and actions in turn; `{{-` removes the white space before it, `-}}` that behind it. */
function partsOf(template: string): Part[] {
  const parts: Part[] = []
  let rest = template
  for (;;) {
    const found = /(?:\s*\{\{-|\{\{)\s*(.*?)\s*(?:-\}\}\s*|\}\})/.exec(rest)
    if (!found) return [...parts, { text: rest }]
    parts.push({ text: rest.slice(0, found.index) }, { action: found[1]! })
    rest = rest.slice(found.index + found[0].length)
  }
}

/** `dot` is the item of a range; `variables` are those that a range over an object declares. */
function render(parts: readonly Part[], from: number, dot: unknown, values: ChartValues, variables: Variables = {}) {
  let output = ''
  let at = from
  while (at < parts.length) {
    const part = parts[at++]!
    if ('text' in part) output += part.text
    else if (part.action === 'end') return { output, next: at }
    else if (part.action.startsWith('range ')) {
      let next = at
      for (const [item, declared] of itemsOf(part.action, dot, values)) {
        const inner = render(parts, at, item, values, declared)
        output += inner.output
        next = inner.next
      }
      at = next
    } else output += textOf(part.action, dot, values, variables)
  }
  return { output, next: at }
}

type Variables = Readonly<Record<string, unknown>>

/** `range .list` and `range $key, $value := .object`. */
function itemsOf(action: string, dot: unknown, values: ChartValues): [item: unknown, declared: Variables][] {
  const [, key, value, path = ''] = /^range (?:(\$\w+), (\$\w+) := )?(\S+)$/.exec(action) ?? []
  const list = lookUp(path, dot, values)
  const items: [unknown, Variables][] =
    key === undefined || value === undefined
      ? (Array.isArray(list) ? list : []).map((item) => [item, {}])
      : Object.entries(Object(list)).map(([name, item]) => [item, { [key]: name, [value]: item }])
  if (items.length === 0) throw new Error(`"${action}" needs values`)
  return items
}

function textOf(action: string, dot: unknown, values: ChartValues, variables: Variables): string {
  const [, path = '', indent = ''] = /^toYaml (\S+) \| nindent (\d+)$/.exec(action) ?? []
  if (path !== '') {
    const lines = stringify(lookUp(path, dot, values))
      .trimEnd()
      .split('\n')
    return lines.map((line) => `\n${' '.repeat(Number(indent))}${line}`).join('')
  }
  const [, summand = '', other] = /^add (\S+) (\d+)$/.exec(action) ?? []
  if (summand !== '') return String(Number(lookUp(summand, dot, values)) + Number(other))
  const [, plain = '', quoted] = /^(\S+)( \| quote)?$/.exec(action) ?? []
  if (plain === '') throw new Error(`the template uses "${action}", which this test does not know`)
  const value = Object.hasOwn(variables, plain) ? variables[plain] : lookUp(plain, dot, values)
  if (typeof value === 'object') throw new Error(`${plain} is not a plain value`)
  return quoted ? JSON.stringify(String(value)) : String(value)
}

function lookUp(path: string, dot: unknown, values: ChartValues): unknown {
  if (path === '.') return dot
  if (!path.startsWith('.')) throw new Error(`the template uses "${path}", which this test does not know`)
  let value: unknown = values
  for (const name of path.slice(1).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`${path} has no value`)
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
