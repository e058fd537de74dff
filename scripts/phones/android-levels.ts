// Which classes and members of Android does the SDK use, and since when do they exist? Each newer one is used where the level is known.

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** The oldest Android that the SDK runs on. */
const minimum = 23

interface AndroidClass {
  since: number
  readonly parents: string[]
  readonly members: {
    readonly name: string
    readonly parameters: readonly string[] | undefined
    readonly since: number
  }[]
}
export type AndroidClasses = ReadonlyMap<string, AndroidClass>

/** The public classes of Android by name, such as `android.os.Build.VERSION`, as the declarations of @nativescript/types-android list them. */
export function readDeclarations(text: string): AndroidClasses {
  const classes = new Map<string, AndroidClass>()
  const open: { name: string; type?: AndroidClass }[] = []
  let since = 0
  for (const line of text.split('\n')) {
    const code = line.trim()
    since = Number(/@since (\d+)/.exec(code)?.[1] ?? since)
    if (/^(?:\/?\*|$)/.test(code)) continue
    const [, kind = '', name = ''] = /^(?:export |declare )(?:abstract )?(module|class) ([\w$]+)/.exec(code) ?? []
    const member = /^(?:public|protected)?\s*(?:static )?([\w$]+)(\((.*)\))?:/.exec(code)
    if (kind !== '') {
      const path = [...open.map((part) => part.name), name].join('.')
      const [, , parents = ''] = /(extends|implements) (.*)\{/.exec(code) ?? []
      const type = classes.get(path) ?? { since, parents: [], members: [] }
      if (kind === 'class') {
        type.parents.push(
          ...parents
            .replaceAll(/<.*?>+/g, '')
            .split(/,| implements /)
            .map((parent) => parent.trim()),
        )
        classes.set(path, type)
      }
      open.push({ name, ...(kind === 'class' && { type }) })
    } else if (/^public constructor\((.*)\);/.test(code)) {
      addMember(open, '<init>', /\((.*)\)/.exec(code)?.[1], since)
    } else if (member) {
      addMember(open, member[1]!, member[2] === undefined ? undefined : member[3], since)
    } else if (code.endsWith('{')) {
      open.push({ name: '' }) // the functions of an interface, as the argument of its constructor
    }
    if (/^\}/.test(code)) open.pop()
    since = 0
  }
  return classes
}

function addMember(
  open: readonly { type?: AndroidClass }[],
  name: string,
  parameters: string | undefined,
  since: number,
): void {
  // Not the functions of an interface that the argument of its constructor repeats, without their levels.
  const type = open.at(-1)?.type
  type?.members.push({ name, parameters: parameters === undefined ? undefined : typesOf(parameters), since })
}

/** `name: type, name: type` */
const typesOf = (parameters: string) =>
  [
    ...parameters
      .replaceAll(/\/\*.*?\*\//g, '')
      .replaceAll(/<[^()]*?>+/g, '')
      .matchAll(/[\w$]+\??: *([\w.$]+)/g),
  ].map(([, type = '']) => type)

/** What the bytecode of a method uses, in its order. */
interface Use {
  readonly at: number
  readonly type: string
  readonly member?: string
  /** Types of the parameters, as the declarations write them. Undefined: a field. */
  readonly parameters?: readonly string[] | undefined
}

interface Method {
  readonly type: string
  readonly name: string
  readonly uses: readonly Use[]
  /** Where a level is known: from one instruction to another. */
  readonly guards: readonly { readonly level: number; readonly from: number; readonly to: number }[]
}

/** The methods of all classes in a folder. */
export function methodsOf(folder: string): Method[] {
  const files = globSync(`${folder}/**/*.class`)
  const { stdout, status } = spawnSync('javap', ['-v', '-p', ...files], { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error('javap failed')
  return readMethods(stdout)
}

/** The methods of classes as javap prints them. */
export function readMethods(printed: string): Method[] {
  const methods: Method[] = []
  let type = ''
  for (const block of printed.split(/\n(?=\S)|\n\n/)) {
    type = /^(?:[\w ]*?)(?:class|interface) ([\w.$]+)/m.exec(block)?.[1] ?? type
    const handles = handlesIn(block, type)
    if (handles.length > 0) methods.push({ type, name: '<invokedynamic>', uses: handles, guards: [] })
    if (!/^ +Code:/m.test(block)) continue
    const [, name = ''] = /([\w$<>-]+)\(.*\)[^\n]*;\n(?: +(?:descriptor|flags):.*\n)* +Code:/.exec(block) ?? []
    const lines = [...block.matchAll(/^ +(\d+): ([a-z]\w*)(.*)$/gm)].map(([, at, operation, rest = '']) => ({
      at: Number(at),
      operation: operation!,
      rest,
    }))
    // The row of the exception table: from, to, target, and the class that is caught there.
    const handlers = [...block.matchAll(/^ +(\d+) +(\d+) +(\d+) +(?:Class (\S+)|any)$/gm)]
    const caught = handlers.flatMap(([, , , at, caughtType]) =>
      caughtType === undefined ? [] : [{ at: Number(at), type: caughtType }],
    )
    const uses = [...lines.flatMap((line) => useOf(line, type)), ...caught]
    const thrown = handlers.flatMap(([, from, to, target]) => [
      { from: Number(from), to: Number(target) },
      { from: Number(to) - 1, to: Number(target) },
    ])
    methods.push({ type, name, uses, guards: guardsOf(lines, [...jumpsIn(block, lines), ...thrown]) })
  }
  return methods
}

interface Line {
  readonly at: number
  readonly operation: string
  readonly rest: string
}

function useOf({ at, rest }: Line, ownType: string): Use[] {
  const [, kind, what = ''] = /\/\/ (class|Field|Method|InterfaceMethod) (\S+)/.exec(rest) ?? []
  if (kind === undefined) return []
  if (kind === 'class') return [{ at, type: what.replaceAll(/["[;]|^\[*L/g, '') }]
  return [memberUse(at, kind === 'Field', what, ownType)]
}

function memberUse(at: number, isField: boolean, what: string, ownType: string): Use {
  const [path = '', descriptor = ''] = what.split(':')
  const dot = path.lastIndexOf('.')
  const type = dot < 0 ? ownType.replaceAll('.', '/') : path.slice(0, dot)
  const member = path.slice(dot + 1).replaceAll('"', '')
  const parameters = isField ? undefined : parametersOf(descriptor)
  return { at, type: type.replaceAll(/["[;]|^\[*L/g, ''), member, parameters }
}

/** What lambdas and method references call: the arguments of the bootstrap methods. No guard is known for them. */
const handlesIn = (block: string, ownType: string): Use[] =>
  [...block.matchAll(/^ +#\d+ REF_(\w+) (\S+)$/gm)].map(([, kind = '', what = '']) =>
    memberUse(0, /^(?:get|put)/.test(kind), what, ownType),
  )

const parametersOf = (descriptor: string) =>
  [...(/\((.*)\)/.exec(descriptor)?.[1] ?? '').matchAll(/(\[*)(?:L([^;]+);|([A-Z]))/g)].map(
    ([, array, name, primitive]) => {
      if (array !== '') return 'androidNative.Array'
      if (name !== undefined) return name === 'java/lang/String' ? 'string' : name.replaceAll(/[/$]/g, '.')
      return primitive === 'Z' ? 'boolean' : primitive === 'C' ? 'string' : 'number'
    },
  )

interface Jump {
  readonly from: number
  readonly to: number
}

/** From an instruction to another one; a switch has a row for each of its targets. */
function jumpsIn(block: string, lines: readonly Line[]): Jump[] {
  const jumps = lines
    .filter(({ operation }) => /^(?:if|goto)/.test(operation))
    .map(({ at, rest }) => ({ from: at, to: Number(rest) }))
  for (const [, at, rows = ''] of block.matchAll(/^ +(\d+): (?:table|lookup)switch([^}]*)/gm))
    jumps.push(...[...rows.matchAll(/: (\d+)$/gm)].map(([, to]) => ({ from: Number(at), to: Number(to) })))
  return jumps
}

/** `if (SDK_INT >= level)`: the instructions up to the target of the jump, if no other jump leads into them. */
function guardsOf(lines: readonly Line[], jumps: readonly Jump[]): Method['guards'] {
  return lines.flatMap(({ rest }, index) => {
    const [constant, jump] = lines.slice(index + 1, index + 3)
    if (!rest.includes('android/os/Build$VERSION.SDK_INT') || constant?.operation !== 'bipush') return []
    if (jump?.operation !== 'if_icmplt') return []
    const [from, to] = [jump.at, Number(jump.rest)]
    const isInside = (at: number) => from < at && at < to
    if (jumps.some((other) => isInside(other.to) && !isInside(other.from))) return []
    return [{ level: Number(constant.rest), from, to }]
  })
}

/** Since which level Android has a class or a member. Undefined: its public API does not have it. */
function sinceOf(classes: AndroidClasses, use: Use): number | undefined {
  const found = classes.get(use.type.replaceAll(/[/$]/g, '.'))
  if (!found) return undefined
  if (use.member === undefined) return found.since
  const since = memberSince(classes, found, use)
  return since === undefined ? undefined : Math.max(found.since, since)
}

/** A subclass may override a member later than its parent has it. */
function memberSince(classes: AndroidClasses, type: AndroidClass, use: Use): number | undefined {
  const own = type.members.filter(({ name, parameters }) => name === use.member && isSame(parameters, use.parameters))
  const parents = use.member === '<init>' ? [] : type.parents.map((name) => classes.get(name))
  const inherited = parents.map((parent) => parent && memberSince(classes, parent, use))
  const all = [...own.map(({ since }) => since), ...inherited].filter((since) => since !== undefined)
  return all.length > 0 ? Math.min(...all) : undefined
}

/** The declarations write `any` for a type variable. */
const isSame = (declared: readonly string[] | undefined, used: readonly string[] | undefined) =>
  declared === undefined || used === undefined
    ? declared === used
    : declared.length === used.length &&
      declared.every((type, index) => type === 'any' || type === used[index] || /^[A-Z]\w?$/.test(type))

const levelOf = (type: string) => Number(/[/.]levels[/.]Api(\d+)/.exec(type)?.[1] ?? Number.NaN)

/**
 * What is wrong with the use of Android's members, one line each: a member that is not public; a newer one outside of the class of its
 * level; a call of such a class where the level is not known; a member of it that nobody calls any more.
 */
export function levelFaults(classes: AndroidClasses, methods: readonly Method[]): string[] {
  const faults = new Set<string>()
  const called = new Set<string>()
  for (const { type, name, uses, guards } of methods) {
    const allowed = levelOf(type)
    for (const use of uses) {
      const what = `${use.type.replaceAll('/', '.')}${use.member === undefined ? '' : `.${use.member}`}`
      const level = levelOf(use.type)
      if (/^(?:android|java|javax|dalvik)\//.test(use.type)) {
        const since = sinceOf(classes, use)
        if (since === undefined) faults.add(`${type}.${name}: ${what} is not in Android's public API`)
        else if (since > minimum && !(since <= allowed))
          faults.add(`${type}.${name}: ${what} exists since API ${since}`)
      } else if (level > 0 && use.type.replaceAll('/', '.') !== type && use.member !== 'INSTANCE') {
        called.add(what)
        const isKnown = guards.some((guard) => guard.level >= level && guard.from < use.at && use.at < guard.to)
        if (!isKnown) faults.add(`${type}.${name}: ${what} is not in \`if (SDK_INT >= ${level})\``)
      }
    }
  }
  for (const { type, name } of methods) {
    // Not those that the compiler makes of lambdas, whose names have a dollar sign.
    const isMember = levelOf(type) > 0 && /^[a-z]\w*$/.test(name)
    if (isMember && !called.has(`${type}.${name}`)) {
      faults.add(`${type}.${name} is not called: did the compiler drop its \`if\`?`)
    }
  }
  return [...faults].toSorted()
}
