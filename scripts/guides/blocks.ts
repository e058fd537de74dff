// Which code does a page show, and which of it does a reader run?

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  readonly language: string
  readonly text: string
  /** Why the player does not run it, as a comment above it in the page's source says. */
  readonly notRun?: string
}

const root = join(import.meta.dirname, '../..')

export const pageText = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The blocks of a page in its order. `<!-- not run: needs a mobile operator -->` above one says why nobody runs it. */
export function blocksOf(page: string): Block[] {
  const fenced = /(?:^<!-- not run: ([^\n]+?) -->\n+)?^```(\w+)\n([\s\S]*?)^```/gm
  return [...page.matchAll(fenced)].map(([, notRun, language = '', text = '']) => ({
    language,
    text,
    ...(notRun !== undefined && { notRun }),
  }))
}

export const isCommand = ({ language }: Block): boolean => language === 'sh'

/** It starts a service that the reader leaves running, in its own terminal. */
export const isService = (block: Block): boolean =>
  isCommand(block) && /^(\w+=\S+ )*npx ringfence serve( --sandbox)?$/m.test(block.text)

/** It starts the sandbox operator alone, in its own terminal. */
export const isOperator = (block: Block): boolean =>
  isCommand(block) && /^npm start --workspace sandbox\b/m.test(block.text)

/** README's two commands: the player has started the service of the clone. */
export const isOfClone = (block: Block): boolean => /^npm (ci|start|test)\b/m.test(block.text) && !isOperator(block)

export const isRun = (block: Block): boolean => isCommand(block) && block.notRun === undefined && !isOfClone(block)

/** Lines of a block that a shell reads, without the files in it that `<<EOF` begins. */
export function shellLines({ text }: Block): string[] {
  let end: string | undefined
  return text.split('\n').filter((line) => {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined
      return false
    }
    end = /<<-?\s*'?(\w+)/.exec(line)?.[1]
    return true
  })
}
