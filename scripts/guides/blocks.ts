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

/** A service that the reader starts in a terminal of its own. */
export const isService = ({ language, text }: Block): boolean =>
  language === 'sh' && /^(npx ringfence serve --sandbox|npm ci && npm start|npm start)\b/m.test(text)

export const isRun = (block: Block): boolean =>
  block.language === 'sh' && block.notRun === undefined && !isService(block)
