// How does the SDK use IndexedDB? One object store, in short transactions.

const name = 'ringfence'
const objectStore = 'kept'

/**
 * Runs the work in one transaction. Resolves with the result of its request once the transaction is
 * complete. It may never resolve: some browsers hang.
 */
export async function inDatabase<Result>(
  mode: IDBTransactionMode,
  work: (values: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(objectStore, mode)
      const request = work(transaction.objectStore(objectStore))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Version 1 for ever: pages with an older SDK open the same database. */
function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(objectStore)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
}
