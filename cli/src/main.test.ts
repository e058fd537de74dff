import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { program } from './main.ts'

test('the help of every command has an example of that command', () => {
  const without: string[] = []
  const look = (command: Command, path: string): void => {
    let help = ''
    command.configureOutput({
      writeOut: (text) => {
        help += text
      },
    })
    command.outputHelp()
    if (!help.split('\n').some((line) => line.startsWith(`  ${path} `) || line === `  ${path}`)) without.push(path)
    assert.ok((help.match(/^Examples:$/gm)?.length ?? 0) <= 1, `${path} has one list of examples`)
    for (const each of command.commands) look(each, `${path} ${each.name()}`)
  }
  look(program(), 'ringfence')
  assert.deepEqual(without, [])
})
