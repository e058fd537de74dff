// Where do the links of a page lead in a package that has only some of the files?

import { posix } from 'node:path'

/** Links of a page lead to where the package has the file; a link to a file that it lacks becomes its text. */
export function relinked(page: string, from: string, inPackage: ReadonlyMap<string, string>): string {
  return page.replaceAll(/\[([^\]]*)\]\(([^)#\s]*)(#[^)]*)?\)/g, (link, text: string, path: string, anchor = '') => {
    if (path === '' || /^\w+:/.test(path)) return link
    const name = posix.join(posix.dirname(from), path).replace(/\/$/, '')
    const folder = [...inPackage.values()].some((file) => file.startsWith(`${name}/`)) ? name : undefined
    const target = inPackage.get(name) ?? folder
    if (target === undefined) return text
    return `[${text}](${posix.relative(posix.dirname(inPackage.get(from) ?? from), target)}${anchor})`
  })
}
