// Where did the time of a CPU profile go? By the folder of our own source that called, with its share of the whole.
// `node proof/bench/harness/profile.ts FILE.cpuprofile [DEPTH]`

import { readFileSync } from 'node:fs'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** µs since the sample before. */
  readonly timeDeltas: readonly number[]
}

/** Milliseconds by folder. What a library or Node does counts for the folder of ours that called it; idle time does not count. */
function timeByFolder({ nodes, samples, timeDeltas }: Profile, depth: number): Map<string, number> {
  const folders = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id: number, above: string) => {
    const { callFrame, children = [] } = byId.get(id)!
    const folder = folderOf(callFrame, depth) ?? above
    folders.set(id, folder)
    for (const child of children) visit(child, folder)
  }
  visit(nodes[0]!.id, 'node, outside of our calls')
  const times = new Map<string, number>()
  samples.forEach((id, at) => {
    const folder = folders.get(id)!
    if (folder !== '(idle)') times.set(folder, (times.get(folder) ?? 0) + timeDeltas[at]! / 1000)
  })
  return times
}

function folderOf({ functionName, url }: Profile['nodes'][number]['callFrame'], depth: number): string | undefined {
  if (['(idle)', '(garbage collector)', '(program)'].includes(functionName)) return functionName
  const [, path] = /\/((?:server\/src|contract|cli|sandbox)\/(?!.*node_modules).*)$/.exec(url) ?? []
  if (path === undefined) return
  const folders = path.replace('server/src/', '').split('/').slice(0, -1)
  return folders.slice(0, depth).join('/')
}

if (import.meta.main) {
  const [file = '', depth = '2'] = process.argv.slice(2)
  const times = timeByFolder(JSON.parse(readFileSync(file, 'utf8')), Number(depth))
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0)
  for (const [folder, time] of [...times].sort((a, b) => b[1] - a[1]))
    console.log(`${((100 * time) / whole).toFixed(1).padStart(5)} %  ${time.toFixed(0).padStart(7)} ms  ${folder}`)
}
