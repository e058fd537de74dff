// What may this page store, and what is stored? Blocked and private storage differ by browser.
// To read a property can throw, in a sandboxed frame or where the person blocks cookies. Private windows store in memory
// and look like others until they are measured. Safari deletes what a script stored after seven days without a visit.

import type { FactContext } from '../collect/fact.ts'

/** The token that the service issued to this browser. */
export const deviceToken = ({ deviceToken }: FactContext) => deviceToken

/** What a probe stores for a moment is called so. */
const probe = 'ringfence-probe'
const kinds = ['localStorage', 'sessionStorage', 'indexedDB'] as const

export function storage() {
  return Object.fromEntries(kinds.map((kind) => [kind, isAvailable(kind)])) as Record<(typeof kinds)[number], boolean>
}

function isAvailable(kind: (typeof kinds)[number]): boolean {
  try {
    return Boolean(window[kind])
  } catch {
    return false // blocked by a setting, or in a sandboxed frame
  }
}

/** Sets a cookie, because `navigator.cookieEnabled` can be true in a frame where cookies are blocked. */
export function cookieEnabled(): boolean {
  if (!navigator.cookieEnabled) return false
  try {
    write(`${probe}=1; SameSite=Lax`)
    const isStored = document.cookie.includes(`${probe}=1`)
    write(`${probe}=; SameSite=Lax; Max-Age=0`)
    return isStored
  } catch {
    return false // a sandboxed frame
  }
}

function write(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = cookie
}

/**
 * Whether IndexedDB stores a file, `kept` or the name of the error: a private window of WebKit has its
 * databases in memory and cannot. WebKit only: in other browsers it is slow and shows nothing.
 */
export async function blobStorage(): Promise<string | undefined> {
  if (!/Apple/.test(navigator.vendor) || !window.indexedDB) return undefined
  const database = await open()
  try {
    return await put(database)
  } finally {
    database.close()
    indexedDB.deleteDatabase(probe)
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(probe, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('files', { autoIncrement: true })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
}

function put(database: IDBDatabase): Promise<string> {
  return new Promise((resolve) => {
    try {
      const putting = database
        .transaction('files', 'readwrite')
        .objectStore('files')
        .put(new Blob(['']))
      putting.onsuccess = () => resolve('kept')
      putting.onerror = (event) => {
        event.preventDefault() // keeps it out of the page's error handlers
        resolve(putting.error?.name ?? 'Error')
      }
    } catch (error) {
      resolve((error as Error).name)
    }
  })
}

const calls = 8
const rounds = 4
/** A round that takes this long is of a private window, or the machine stood still meanwhile: the second half waits. */
const slowMs = 0.2
const pauseMs = 10

interface SyncFile {
  getSize(): number
  close(): void
}

/**
 * Where this origin's file system is: in a private window it is in memory, or refused.
 * The kernel answers calls on an open file at once. In a private window, Chromium sends each call
 * to another process, which takes a hundred times longer on any disk. Browsers allow synchronous
 * access in workers only.
 */
export async function fileSystem(): Promise<{ error?: string; callMicros?: number } | undefined> {
  if (typeof document !== 'undefined' || !navigator.storage?.getDirectory) return undefined
  try {
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(probe, { create: true })
    const file = await (handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }).createSyncAccessHandle()
    try {
      return { callMicros: await callMicros(file) }
    } finally {
      file.close()
      await folder.removeEntry(probe)
    }
  } catch (error) {
    return { error: (error as Error).name }
  }
}

/** The fastest round, because other load on the machine only makes calls slower. */
async function callMicros(file: SyncFile): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    if (round === rounds / 2 && quickest >= slowMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const start = performance.now()
    for (let call = 0; call < calls; call++) file.getSize()
    quickest = Math.min(quickest, performance.now() - start)
  }
  return Math.round((quickest * 1000) / calls)
}
