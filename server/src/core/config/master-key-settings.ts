// Which settings say where the master key is?

import Type from 'typebox'

export const masterKeySettings = {
  masterKey: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY',
      description:
        'Key that protects the keys of the store. Servers that share a database need the same one. During a rotation: the new key, a space, and the previous one.',
      pattern: '^[A-Za-z0-9+/_-]{43}=?([ ,]+[A-Za-z0-9+/_-]{43}=?)*$',
      form: '32 bytes in base64',
    }),
  ),
  masterKeyFile: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_FILE',
      description:
        'File with the master key, which only its owner may read. Default: `/etc/ringfence/master.key` if it exists, otherwise `ringfence/master.key` in the configuration folder of the user (`$XDG_CONFIG_HOME` or `~/.config`). It is created for a new store only.',
    }),
  ),
  masterKeyCommand: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_COMMAND',
      description: 'Shell command that prints the master key in base64, within 10 seconds.',
    }),
  ),
  masterKeyWrapCommand: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_WRAP_COMMAND',
      description:
        'Shell command of a KMS whose key never leaves it: called with `wrap` or `unwrap`, it reads base64 and prints base64, within 10 seconds.',
    }),
  ),
}
