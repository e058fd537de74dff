// Can a reader with empty hands follow each guide? Plays the pages in an empty folder, with nothing that they do not give.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { blocksOf, isOfClone, isRun, pageText, shellLines } from './blocks.ts'
import { play } from './player.ts'

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'no curl on this machine'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', ...globSync('docs/guides/*.md', { cwd: root }).toSorted()]

test('what a reader pastes has no comment, which zsh would run', () => {
  const commented = pages.flatMap((page) =>
    blocksOf(pageText(page))
      .filter((block) => isRun(block) || isOfClone(block))
      .flatMap(shellLines)
      .filter((line) => /(^|\s)#(\s|$)/.test(line))
      .map((line) => `${page}: ${line}`),
  )
  assert.deepEqual(commented, [])
})

test('the first screen of the README has the two commands that a fresh machine needs', () => {
  const ofClone = blocksOf(pageText('README.md').split('\n## ')[0]!).filter(isOfClone)
  assert.deepEqual(
    ofClone.map(({ text }) => text.trim()),
    ['npm ci && npm start', 'npm ci && npm test'],
  )
})

describe('the commands of a guide work in its order, and answer what it shows', {
  concurrency: 2,
  skip,
}, () => {
  const total = { run: 0, compared: 0, notRun: 0 }
  for (const page of pages.filter((page) => blocksOf(pageText(page)).some(isRun))) {
    test(page, async (t) => {
      const { run, compared, notRun } = await play(t, page)
      for (const reason of notRun) t.diagnostic(`not run: ${reason}`)
      total.run += run
      total.compared += compared
      total.notRun += notRun.length
    })
  }
  after(() => console.log(`${total.run} blocks run, ${total.compared} answers compared, ${total.notRun} not run`))
})
