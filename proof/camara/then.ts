// What does each Then step of a feature file expect of the response? Each says what is wrong, or nothing.

import type { World } from './world.ts'

type Mistake = string | undefined
type Step = readonly [RegExp, (world: World, ...captured: string[]) => Mistake]

/** `$.status` of the body. */
const at = (world: World, path: string): unknown =>
  path
    .replace(/^\$\./, '')
    .split('.')
    .reduce((value, part) => value?.[part], world.received?.body)

const same = (found: unknown, expected: unknown, what: string): Mistake =>
  JSON.stringify(found) === JSON.stringify(expected)
    ? undefined
    : `${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`

const holds = (isRight: boolean, mistake: string): Mistake => (isRight ? undefined : mistake)

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

const property = '(?:value of )?(?:the )?response (?:body )?property "(\\$\\.[\\w.]+)"'
const of = (rest: string) => new RegExp(`^(?:the )?${property} ${rest}$`)

export const expectations: readonly Step[] = [
  [
    /^the response (?:status )?code is "?(\d+)"?$/,
    (world, status) => same(world.received?.status, Number(status), 'the status'),
  ],
  [
    /^the response header "Content-Type" is "([^"]+)"$/,
    (world, type) =>
      holds(world.received?.headers.get('content-type')?.startsWith(type!) === true, `content-type is not ${type}`),
  ],
  [
    /^the response header "x-correlator" has same value/,
    (world) => same(world.received?.headers.get('x-correlator'), world.correlator, 'x-correlator'),
  ],
  [
    /^the response body complies with the OAS schema at "([^"]+)"$/,
    (world, pointer) => {
      const { openApi } = world.feature
      if (!openApi) return 'there is no OpenAPI document beside the feature file'
      const mistake = openApi.mistakeOf(pointer!, world.received?.body)
      return mistake && `the body does not comply with ${pointer}: ${mistake}`
    },
  ],
  [
    /^the response contains the property "(\$\.\w+)"$/,
    (world, path) => holds(at(world, path!) !== undefined, `there is no ${path}`),
  ],
  [
    of('contains a user[ -]friendly text(?: indicating.*)?'),
    (world, path) => holds(typeof at(world, path!) === 'string' && at(world, path!) !== '', `${path} is no text`),
  ],
  [
    of('is equal to an integer value between (\\d+) and (\\d+)'),
    (world, path, least, most) => {
      const value = at(world, path!)
      return holds(
        Number.isInteger(value) && Number(value) >= Number(least) && Number(value) <= Number(most),
        `${path} is ${value}`,
      )
    },
  ],
  [
    of('(?:is|is equal to|has the value) "([^"]*)"(?: or "([^"]*)")?(?: as .*)?'),
    (world, path, one, or) => {
      const value = String(at(world, path!))
      return holds(
        value === one || value === or,
        `${path} is ${value}, not ${or === undefined ? one : `${one} or ${or}`}`,
      )
    },
  ],
  [of('(?:is|==) (\\d+|true|false|null)'), (world, path, value) => same(at(world, path!), JSON.parse(value!), path!)],
  [
    of('is one of: (\\[.*\\])'),
    (world, path, values) =>
      holds((JSON.parse(values!) as string[]).includes(String(at(world, path!))), `${path} is ${at(world, path!)}`),
  ],
  [of('(?:exists|is present)'), (world, path) => holds(at(world, path!) !== undefined, `there is no ${path}`)],
  [of('(?:is not present|does not exist)'), (world, path) => holds(at(world, path!) === undefined, `${path} is there`)],
  [
    of('exists only if "(\\$\\.\\w+)" is "(\\w+)"'),
    (world, path, other, value) =>
      holds(at(world, path!) === undefined || at(world, other!) === value, `${path} is there`),
  ],
  [
    of('includes (?:both )?"(\\w+)"(?: and "(\\w+)")?'),
    (world, path, one, other) => {
      const found = at(world, path!)
      const all = [one, other].filter((each) => each !== undefined)
      return holds(
        Array.isArray(found) && all.every((each) => found.includes(each)),
        `${path} is ${JSON.stringify(found)}`,
      )
    },
  ],
  [
    of('is a non-empty array containing .* \\["(\\w+)"\\]'),
    (world, path, value) => same(at(world, path!), [value], path!),
  ],
  [
    of('is present and has a valid date-time format.*'),
    (world, path) => {
      const value = at(world, path!)
      return holds(isTime(value) && Date.parse(value) <= world.nowMs + 1000, `${path} is ${value}`)
    },
  ],
  [
    of("contains (?:a valid timestamp|the sim's activation timestamp|the timestamp of the first time .*)"),
    (world, path) => holds(isTime(at(world, path!)), `${path} is ${at(world, path!)}`),
  ],
  [
    of('is equal to the phone number associated with the access token'),
    (world, path) => same(at(world, path!), world.phoneNumber, path!),
  ],
  [
    of('value is not older than the value of "\\$\\.maxAge" in the request'),
    (world, path) => {
      const { maxAge } = world.body as { maxAge: number }
      return holds(
        world.nowMs - Date.parse(String(at(world, path!))) <= maxAge * 1000,
        `${path} is ${at(world, path!)}`,
      )
    },
  ],
  [
    /^if the response property "(\$\.\w+)" is present, then the value (?:has|is) a valid date-time/,
    (world, path) =>
      holds(at(world, path!) === undefined || isTime(at(world, path!)), `${path} is ${at(world, path!)}`),
  ],
  [
    /^if the response contains property "(\$\.\w+)", the value is one of (\[.*\])$/,
    (world, path, values) =>
      holds(
        [undefined, ...(JSON.parse(values!) as unknown[])].includes(at(world, path!)),
        `${path} is ${at(world, path!)}`,
      ),
  ],
  [
    /^the response optionally contains the property "(\$\.\w+)"/,
    (world, path) => holds(['undefined', 'number'].includes(typeof at(world, path!)), `${path} is no number`),
  ],
  [
    /^the response body property "(\$\.\w+)" is one of: (\[.*\])$/,
    (world, path, values) =>
      holds((JSON.parse(values!) as string[]).includes(String(at(world, path!))), `${path} is ${at(world, path!)}`),
  ],
  [
    /^the correspondent score property, if exists, is not returned$/,
    (world) =>
      holds(!Object.keys(world.received?.body ?? {}).some((name) => name.endsWith('Score')), 'there is a score'),
  ],
  [
    /^the response body is a string with the value "inactive"$/,
    (world) => same(world.received?.body, ['inactive'], 'the body'),
  ],
  [
    /^the response body is an array of strings with the possible values (\[.*\])$/,
    (world, values) => {
      const found: unknown = world.received?.body
      const allowed = JSON.parse(values!) as unknown[]
      return holds(
        Array.isArray(found) && found.length > 0 && found.every((each) => allowed.includes(each)),
        `the body is ${JSON.stringify(found)}`,
      )
    },
  ],
]
