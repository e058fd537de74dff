import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { testClock } from '../../testing/test-clock.ts'
import { NewerFiles, newestContent } from './newer-files.ts'

/** Files whose version and content the test changes. */
function start() {
  const clock = testClock()
  const state = { version: 'one' as string | undefined, loads: 0, load: async () => {}, problems: [] as unknown[] }
  const files = new NewerFiles({
    version: async () => state.version,
    async load() {
      state.loads++
      await state.load()
    },
    everyMs: 1_000,
    clock,
    onProblem: (problem) => state.problems.push(problem),
  })
  return { clock, state, files }
}

test('loads a version once, and a newer one at the next look', async () => {
  const { clock, state, files } = start()
  await files.load()
  await files.load()
  assert.equal(state.loads, 1)
  state.version = 'two'
  assert.equal(files.look(), undefined, 'the last look is fresh')
  clock.advance({ ms: 1_000 })
  await files.look()
  assert.equal(state.loads, 2)
  state.version = 'three'
  clock.advance({ hours: -1 })
  await files.look()
  assert.equal(state.loads, 3, 'after the clock was set back')
})

test('keeps what is loaded when there is nothing to load', async () => {
  const { clock, state, files } = start()
  await files.load()
  state.version = undefined
  clock.advance({ ms: 1_000 })
  await files.look()
  await files.load()
  assert.deepEqual([state.loads, state.problems], [1, []])
})

test('loads again when the files were replaced while they were read', async () => {
  const { state, files } = start()
  state.load = async () => {
    if (state.version === 'two') return
    state.version = 'two'
    throw new Error('gone')
  }
  await files.load()
  assert.deepEqual([state.loads, state.problems], [2, []])
})

test('reports files that cannot be used once a minute, and loads them again only then', async () => {
  const { clock, state, files } = start()
  const problem = new Error('damaged')
  state.load = () => Promise.reject(problem)
  for (let second = 0; second < 60; second++) {
    await files.look()
    clock.advance({ seconds: 1 })
  }
  assert.deepEqual([state.loads, state.problems], [1, [problem]])
  await files.look()
  assert.deepEqual([state.loads, state.problems], [2, [problem, problem]])
  await assert.rejects(files.load(), problem)
  state.version = 'two'
  clock.advance({ seconds: 1 })
  await files.look()
  assert.equal(state.problems.length, 3, 'another version is reported at once')
})

test('reports a version that cannot be determined', async () => {
  const { clock, state } = start()
  const problem = new Error('no access')
  const files = new NewerFiles({
    version: () => Promise.reject(problem),
    load: () => assert.fail('nothing to load'),
    everyMs: 1_000,
    clock,
    onProblem: (error) => state.problems.push(error),
  })
  await files.look()
  clock.advance({ seconds: 1 })
  await files.look()
  assert.deepEqual(state.problems, [problem])
})

test('stops waiting after 250 ms, and shares the load that continues', async (t) => {
  const { clock, state, files } = start()
  const { promise: loaded, resolve: finish } = Promise.withResolvers<void>()
  state.load = () => loaded
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const looking = files.look()
  assert.equal(files.look(), looking)
  t.mock.timers.tick(250)
  await looking
  clock.advance({ seconds: 1 })
  assert.equal(files.look(), undefined, 'a load in progress is not waited for again')
  const explicit = files.load()
  finish()
  await Promise.all([explicit, files.settled()])
  assert.equal(state.loads, 1)
})

test('a newer file is used after seconds, and the previous content when it cannot be', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  // A look waits for the disk, however slow it is.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [path, clock, texts] = [join(folder, 'lists'), testClock(), [] as string[]]
  const read = async () => {
    const text = await readFile(path, 'utf8')
    if (text === 'damaged') throw new Error(text)
    return text
  }
  const log = { error: (_: object, text: string) => texts.push(text) } as never
  const newest = newestContent(path, { what: 'lists', none: 'none', read }, { clock, log })
  assert.equal(await newest(), 'none')
  await writeFile(path, 'one')
  assert.equal(await newest(), 'none', 'the last look is fresh')
  clock.advance({ seconds: 5 })
  assert.equal(await newest(), 'one')
  await writeFile(path, 'damaged')
  clock.advance({ seconds: 5 })
  assert.equal(await newest(), 'one')
  assert.deepEqual(texts, ['cannot use the newer lists; continuing with the previous ones'])
  await rm(path)
  clock.advance({ seconds: 5 })
  assert.equal(await newest(), 'one')
})
