// `ringfence backup` and `ringfence restore`: which options do they take? Their code is loaded when they run.

import type { Command } from 'commander'
import { addPlaceOptions } from '../configuration.ts'
import { type BackupOptions, passphraseVariable, type RestoreOptions } from './options.ts'

export function addBackup(ringfence: Command): void {
  addPlaceOptions(ringfence.command('backup').argument('<file>', 'the new file'))
    .description('Copy the store and number data into one encrypted file, also while servers run, and verify it')
    .option(
      '--recipient <age1…>',
      'encrypt for this recipient of age instead of a passphrase; may be repeated',
      collect,
    )
    .option(
      '--passphrase-file <file>',
      `file with the passphrase (${passphraseVariable}; a terminal is prompted for it)`,
    )
    .option('--with-master-key', 'include the master key: whoever opens the backup can then read everything in it')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
The backup is opened again and its store is restored to a scratch place before it gets its name. The file is an age file.

Examples:
  BACKUP_PASSPHRASE="$(cat /etc/ringfence/backup-passphrase)" ringfence backup /backup/ringfence-$(date +%F).age
  ringfence backup monday.age --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p`,
    )
    .action(async (file: string, options: BackupOptions) => (await import('./backup.ts')).backup(file, options))
}

const collect = (value: string, before: string[] = []) => [...before, value]

export function addRestore(ringfence: Command): void {
  addPlaceOptions(ringfence.command('restore').argument('<file>', 'file of ringfence backup'))
    .description('Restore a backup into an empty data folder, or into a PostgreSQL database without tables')
    .option('--identity <file>', 'identity file of age-keygen, for a backup that was made with --recipient')
    .option(
      '--passphrase-file <file>',
      `file with the passphrase (${passphraseVariable}; a terminal is prompted for it)`,
    )
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Nothing is written where a server would find it before the whole backup was read and its store verified.

Examples:
  ringfence restore /backup/ringfence-2026-11-22.age --data /var/lib/ringfence
  ringfence restore monday.age --identity backup-key.txt --database postgres://ringfence@db/restored`,
    )
    .action(async (file: string, options: RestoreOptions) => (await import('./restore.ts')).restore(file, options))
}
