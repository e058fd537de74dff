// Can IndexedDB store a file? A private window of WebKit cannot, because its databases are in memory.

const name = 'ringfence-probe'

/**
 * `kept`, or the name of the error. WebKit only: in other browsers it is slow and shows nothing.
 */
export async function blobStorage(): Promise<string | undefined> {
  if (!/Apple/.test(navigator.vendor) || !window.indexedDB) return undefined
  const database = await open()
  try {
    return await put(database)
  } finally {
    database.close()
    indexedDB.deleteDatabase(name)
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
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
