// Is this still the file that was read? Another text for another file of its name.

import { stat } from 'node:fs/promises'

/** So long a new file may go unnoticed by those that look from time to time. */
export const lookEveryMs = 5000

/** Undefined when there is none. */
export async function fileVersion(path: string): Promise<string | undefined> {
  try {
    const { ino, ctimeMs, size } = await stat(path)
    return `${ino} ${ctimeMs} ${size}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
