// How does a person save what a page shows? As a JSON file.

import { saveFile } from '../../parts/save-file.ts'

export function saveJson(name: string, value: unknown): void {
  saveFile(name, 'application/json', JSON.stringify(value, undefined, 2))
}
